package import Foundation

/// A key by which a program may use the API for developers, as the library knows it: without its text.
package struct APIKey: Sendable, Hashable {
    /// The most keys of a library.
    package static let most = 100
    /// How exactly ``lastUsed`` is known, in seconds: not every request writes into the library.
    package static let usePrecision = 60.0

    /// Unique among the keys.
    package let name: ItemName
    package let created: Date
    /// `nil` for one that no program has used yet.
    package let lastUsed: Date?

    package init(name: ItemName, created: Date, lastUsed: Date? = nil) {
        (self.name, self.created, self.lastUsed) = (name, created, lastUsed)
    }

    /// Whether a use at `now` has to be stored: the last one was at least ``usePrecision`` before.
    package func shouldRecordUse(at now: Date) -> Bool {
        guard let lastUsed else { return true }
        return abs(now.timeIntervalSince(lastUsed)) >= Self.usePrecision
    }
}

/// The text of a key, which no description, log or answer contains but the one that hands it out.
package struct APIKeySecret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// How every key begins, so that one that has got somewhere by mistake is recognized.
    package static let beginning = "et-"
    /// Hexadecimal digits after the beginning: 256 bits.
    private static let digits = 64

    private let text: String

    /// A new key, of the system's random numbers.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let numbers = (0..<4).map { _ in String(format: "%016lx", generator.next() as UInt64) }
        text = Self.beginning + numbers.joined()
    }

    /// Reads what a program sends; fails for what cannot be a key.
    package init?(_ text: String) {
        let rest = text.utf8.dropFirst(Self.beginning.utf8.count)
        guard text.hasPrefix(Self.beginning), rest.count == Self.digits,
            rest.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    /// The key itself.
    package func revealed() -> String { text }

    package var description: String { "a key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The keys of the API for developers, in the encrypted library; without one the API answers nobody.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks it.
package protocol APIKeys: Sendable {
    /// The keys, ordered by name; those that cannot be read are left out.
    ///
    /// - Throws: ``VaultError``.
    func keys() async throws -> [APIKey]

    /// The number of keys that cannot be read; they open nothing.
    ///
    /// - Throws: ``VaultError``.
    func unreadable() async throws -> Int

    /// Makes a key; only its digest is stored, so its text cannot be shown again.
    ///
    /// - Throws: ``APIKeyError/nameTaken``, ``APIKeyError/tooMany(limit:)``, ``VaultError``.
    func add(_ name: ItemName, at now: Date) async throws -> APIKeySecret

    /// Ends the access by a key; the next request that has it is refused.
    ///
    /// - Throws: ``APIKeyError/notFound``, ``VaultError``.
    func remove(_ name: ItemName) async throws

    /// Removes the keys that cannot be read.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``VaultError``.
    func removeUnreadable() async throws -> Int

    /// Finds the key with a text, in a time that says nothing about the texts of others, and notes that it is used.
    ///
    /// - Returns: The key as it was before; `nil` for a text that is none's. A use that cannot be noted is none the less one.
    /// - Throws: ``VaultError``.
    func use(_ secret: APIKeySecret, at now: Date) async throws -> APIKey?
}

/// Why a key of the API cannot be made or removed.
package enum APIKeyError: UserFacingError, Equatable {
    case notFound
    case nameTaken
    case tooMany(limit: Int)

    package var failure: Failure {
        switch self {
        case .notFound:
            Failure(.notFound, "api.key-not-found", "There is no key of that name.")
                .suggesting(
                    "It may have been revoked meanwhile.",
                    inTerminal: "“echotext keys list” shows what there is."
                )
        case .nameTaken:
            Failure(.conflict, "api.key-name-taken", "There is a key of that name already.")
                .suggesting(
                    "Choose another name, or revoke that key first.",
                    inTerminal: "Choose another name, or remove that key first."
                )
        case .tooMany(let limit):
            Failure(.conflict, "api.too-many-keys", "There are \(limit) keys already.")
                .suggesting(
                    "Revoke one that no program uses any more.",
                    inTerminal: "Remove one that no program uses any more."
                )
        }
    }
}
