/// Exported files that lie in memory until they are taken.
package protocol ExportedBytes: Sendable {
    /// The finished file at `path`, of which nothing stays behind.
    ///
    /// - Throws: ``AudioFileError/fileMissing(file:)``.
    func take(_ path: String) async throws -> any StoredSound
}
