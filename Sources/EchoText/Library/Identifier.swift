import Foundation

/// The id of something in the library, with a distinct type for each kind; a string in JSON.
///
/// Ids are never reused, not even after the subject is deleted.
package struct Identifier<Subject>: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a new id.
    package init() {
        rawValue = UUID().uuidString.lowercased()
    }

    package var description: String { rawValue }
}
