/// Where settings are kept: text by name, checked by ``Setting`` on the way in and out.
package protocol SettingsStore: Sendable {
    /// The settings that were set, by name.
    func stored() async throws -> [String: String]

    /// Sets one, or back to its default with `nil`.
    ///
    /// - Throws: ``LibraryError/unknownSetting(name:nearest:)``, ``LibraryError/invalidSetting(name:allowed:)``.
    func store(_ value: String?, for name: String) async throws

    /// Sets all back to their defaults, or none.
    func reset() async throws
}
