/// A voice that was here and is not what it was.
package struct VoiceLoss: Sendable {
    package let voice: InstalledVoice
    /// Whether its files are gone; else they were changed or are damaged, and lie there.
    package let isGone: Bool
    /// What is wrong, as a person is told.
    package let failure: VoiceDownload.Failure
}

/// Compares the voices that were installed with those that are there.
package struct VoiceInventory: Sendable {
    private let installer: any VoiceInstaller
    private let registry: any VoiceRegistry

    package init(of installer: any VoiceInstaller, in registry: any VoiceRegistry) {
        self.installer = installer
        self.registry = registry
    }

    /// Takes down what is new, and forgets what is gone.
    ///
    /// - Returns: What was lost since the last time, and what is not as it was installed, by name.
    /// - Throws: ``VaultError``, and what the installer throws.
    @discardableResult
    package func take() async throws -> [VoiceLoss] {
        let installed = try await installer.installed()
        let records = try await registry.records()
        var losses: [VoiceLoss] = []
        for voice in installed {
            do {
                try await installer.check(voice.voice.id)
            } catch let error as any UserFacingError {
                losses.append(VoiceLoss(voice: voice, isGone: false, failure: .init(error)))
            }
            if records[voice.voice.id]?.installation != voice {
                try await registry.update(voice.voice.id) { $0.installation = voice }
            }
        }
        let present = Set(installed.map(\.voice.id))
        for record in records.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            guard let voice = record.installation, !present.contains(record.id) else { continue }
            losses.append(try await loss(of: voice))
            try await registry.update(record.id) { $0.installation = nil }
        }
        return losses.sorted { $0.voice.voice.name < $1.voice.voice.name }
    }

    private func loss(of voice: InstalledVoice) async throws -> VoiceLoss {
        let id = voice.voice.id
        let gone = VoiceInstallError.gone(id, isInCatalogue: voice.receipt?.entry != nil)
        do {
            try await installer.check(id)
        } catch VoiceInstallError.notInstalled {
            return VoiceLoss(voice: voice, isGone: true, failure: .init(gone))
        } catch let error as any UserFacingError {
            return VoiceLoss(voice: voice, isGone: false, failure: .init(error))
        }
        // It has come back in between, and is taken down the next time.
        return VoiceLoss(voice: voice, isGone: true, failure: .init(gone))
    }
}
