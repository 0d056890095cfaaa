package import Foundation

/// What a person hands over: a document's bytes, in memory.
package struct DocumentFile: Sendable, Hashable {
    /// A bare file name, as it was; only for people, nothing is concluded from it.
    package var name: String
    package var bytes: Data
    /// What opens the file, for one that asks.
    package var password: String?

    package init(name: String, bytes: Data, password: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.password = password
    }
}
