import Foundation

/// The id of something that the library keeps, of its own type for each kind; in JSON it is a string.
///
/// Never used twice, also not after its subject is deleted.
package struct Identifier<Subject>: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A new one.
    package init() {
        rawValue = UUID().uuidString.lowercased()
    }

    package var description: String { rawValue }
}
