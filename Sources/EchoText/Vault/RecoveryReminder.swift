/// Reminds a person once that a library worth keeping has no recovery code.
///
/// Without one, a lost machine loses everything: the library opens by this machine's secret alone.
package enum RecoveryReminder {
    /// How many recordings make a library worth it.
    static let recordings = 10

    /// Says whether the person is to be reminded; it stays so until ``noteSeen(in:)``.
    ///
    /// - Parameters:
    ///   - library: Remembers whether it was seen, by its setting.
    ///   - status: The vault's.
    /// - Returns: Whether it is due.
    /// - Throws: What the library's stores throw.
    package static func isDue(in library: Library, _ status: VaultStatus) async throws -> Bool {
        guard status.protection != nil, !status.hasRecoveryCode,
            try await library.settings.value(of: SettingsCatalogue.remindsOfRecoveryCode)
        else { return false }
        var query = AudioQuery()
        query.limit = 1
        return try await library.audio.items(matching: query).total >= recordings
    }

    /// Notes that a person has seen the reminder, so that it does not come again.
    ///
    /// - Throws: What the library's settings throw.
    package static func noteSeen(in library: Library) async throws {
        let setting = SettingsCatalogue.remindsOfRecoveryCode
        try await library.settings.set(setting.name, to: setting.text(of: false))
    }
}
