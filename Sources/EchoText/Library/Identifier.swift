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

    /// The number of characters from which the beginning of an id stands for it: fewer are a number in a list, or a slip.
    package static var shortestPrefix: Int { 4 }

    /// Whether `reference` is the id or a beginning of it that is long enough, ignoring case.
    package func begins(with reference: String) -> Bool {
        reference.count >= Self.shortestPrefix && rawValue.hasPrefix(reference.lowercased())
    }
}
