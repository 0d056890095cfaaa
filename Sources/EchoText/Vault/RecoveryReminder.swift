/// Reminds a person once that a library worth keeping has no recovery code.
///
/// Without one, a lost machine loses everything: only this machine's secret opens the library.
package enum RecoveryReminder {
    /// How many recordings make a library worth it.
    static let recordings = 10

    /// Returns whether the reminder is due; it remains due until ``noteSeen(in:)``.
    ///
    /// - Parameters:
    ///   - library: The library, whose settings record whether the reminder was shown.
    ///   - status: The vault's status.
    /// - Returns: Whether the reminder is due.
    /// - Throws: What the library's stores throw.
    package static func isDue(in library: Library, _ status: VaultStatus) async throws -> Bool {
        guard status.protection != nil, !status.hasRecoveryCode,
            try await library.settings.value(of: SettingsCatalogue.remindsOfRecoveryCode)
        else { return false }
        var query = AudioQuery()
        query.limit = 1
        return try await library.audio.items(matching: query).total >= recordings
    }

    /// Records that the person has seen the reminder, so that it is not shown again.
    ///
    /// - Throws: What the library's settings throw.
    package static func noteSeen(in library: Library) async throws {
        let setting = SettingsCatalogue.remindsOfRecoveryCode
        try await library.settings.set(setting.name, to: setting.text(of: false))
    }
}
