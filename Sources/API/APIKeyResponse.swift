package import EchoText
package import Foundation

/// A key of the API for developers; its text is in none but the answer that makes it.
package struct APIKeyResponse: Encodable, Sendable {
    /// Unique among the keys.
    package let name: String
    package let created: Date
    /// To the minute; left out for a key that no program has used.
    package let lastUsed: Date?

    package init(_ key: APIKey) {
        (name, created, lastUsed) = (key.name.text, key.created, key.lastUsed)
    }
}

/// A key that was just made.
package struct CreatedAPIKeyResponse: Encodable, Sendable, CustomReflectable {
    package let name: String
    /// The key itself, which no other answer has.
    package let key: String

    package init(_ name: ItemName, _ secret: APIKeySecret) {
        (self.name, key) = (name.text, secret.revealed())
    }

    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
