package import Foundation

/// A document that a person has handed in: its bytes, in memory.
package struct DocumentFile: Sendable, Hashable {
    /// A bare file name, as it was; only for people, nothing is concluded from it.
    package var name: String
    package var bytes: Data
    /// The password, for a file that needs one.
    package var password: String?

    package init(name: String, bytes: Data, password: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.password = password
    }
}
