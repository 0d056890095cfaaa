import Foundation

/// The settings of a narration that neither the request nor the command sets.
///
/// The page, the batch and the commands read them from the library, so that a text sounds the same from each.
package struct NarrationDefaults: Sendable {
    /// The profile that speaks.
    package var chosen: ChosenProfile
    package var pauses = NarrationSettings.Pauses()
    /// The text of the pronunciation dictionary; `nil` when it has no lines.
    package var dictionary: String?
    /// Phrases that are spoken at once; `nil` for as many as there are cores.
    package var lanes: Int?

    /// The defaults where there is no library.
    ///
    /// - Parameter voice: The voice.
    package init(voice: Voice.ID = VoiceProfile.standard.voice) {
        var profile = VoiceProfile.standard
        profile.voice = voice
        chosen = ChosenProfile(profile: profile, isStandIn: false)
    }

    /// Reads the defaults of `library`.
    ///
    /// - Parameters:
    ///   - library: Holds the profiles and the settings.
    ///   - profile: The profile to use; the selected one when absent.
    /// - Throws: ``LibraryError/profileNotFound``, ``VaultError``.
    package init(of library: Library, profile: VoiceProfile.ID? = nil) async throws {
        chosen = try await library.profiles.profile(profile)
        pauses = try await library.settings.pauses()
        dictionary = try await library.settings.dictionary()
        lanes = try await library.settings.lanes()
    }
}

extension VoiceProfiles {
    /// The profile with an id, or the selected one without an id.
    fileprivate func profile(_ id: VoiceProfile.ID?) async throws -> ChosenProfile {
        guard let id else { return try await chosen() }
        guard let profile = try await profiles().first(where: { $0.id == id }) else {
            throw LibraryError.profileNotFound
        }
        return ChosenProfile(profile: profile, isStandIn: false)
    }
}

extension SettingsStore {
    /// The pauses that the settings define.
    package func pauses() async throws -> NarrationSettings.Pauses {
        NarrationSettings.Pauses(
            sentence: try await value(of: SettingsCatalogue.sentencePause),
            paragraph: try await value(of: SettingsCatalogue.paragraphPause),
            heading: try await value(of: SettingsCatalogue.headingPause)
        )
    }

    /// The text of the pronunciation dictionary; `nil` when it has no lines.
    package func dictionary() async throws -> String? {
        let text = try await value(of: SettingsCatalogue.dictionary)
        return text.isEmpty ? nil : text
    }

    /// Phrases that are spoken at once; `nil` for as many as there are cores.
    package func lanes() async throws -> Int? {
        let lanes = try await value(of: SettingsCatalogue.lanes)
        return lanes > 0 ? lanes : nil
    }
}
