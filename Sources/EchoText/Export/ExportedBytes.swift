/// Exported files that stay in memory until they are taken.
package protocol ExportedBytes: Sendable {
    /// Takes the finished file at `path`, and removes it here.
    ///
    /// - Throws: ``AudioFileError/fileMissing(file:)``.
    func take(_ path: String) async throws -> any StoredSound
}
