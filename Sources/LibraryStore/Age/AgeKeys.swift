import EchoText

/// The keys that are tried on an age file.
package enum AgeKeys: Sendable {
    /// In the order in which they are tried.
    case identities([AgeIdentity])
    case passphrase(AgePassphrase)

    /// The stanza of age's post-quantum recipients, which are not supported here.
    private static let hybridType = "mlkem768x25519"

    /// Finds the file key and checks the header with it.
    ///
    /// - Throws: ``AgeError``, or ``VaultError/locked``.
    func fileKey(from header: AgeHeader) throws -> SecretBytes {
        let hasPassphrase = header.stanzas.contains { $0.type == AgePassphrase.type }
        guard !hasPassphrase || header.stanzas.count == 1 else { throw AgeError.header }
        guard let key = try unwrap(header.stanzas) else {
            let isHybrid = header.stanzas.contains { $0.type == Self.hybridType }
            throw isHybrid ? AgeError.unsupported : AgeError.noMatch
        }
        try header.verify(fileKey: key)
        return key
    }

    private func unwrap(_ stanzas: [AgeStanza]) throws -> SecretBytes? {
        switch self {
        case .passphrase(let passphrase):
            for stanza in stanzas {
                if let key = try passphrase.fileKey(from: stanza) { return key }
            }
        case .identities(let identities):
            for identity in identities {
                for stanza in stanzas {
                    if let key = try identity.fileKey(from: stanza) { return key }
                }
            }
        }
        return nil
    }
}
