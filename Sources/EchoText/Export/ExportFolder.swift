/// The destination of several exported files: a folder or an archive.
package protocol ExportFolder: Sendable {
    /// Begins a sound file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink

    /// Opens a sink for any other file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``.
    func file(at path: String) async throws -> any ByteSink

    /// Writes `bytes` to a file at `path`.
    ///
    /// - Throws: ``AudioFileError``; what reading throws; no file is left then.
    func write(_ bytes: any StoredBytes, to path: String) async throws

    /// Creates a folder that only its owner can access, or uses an existing empty one.
    ///
    /// - Throws: ``ExportError/folderNotEmpty``, ``ExportError/folderNotUsable``.
    func folder(at path: String) async throws

    /// Removes everything in the folder at `path`, as far as possible.
    func empty(_ path: String) async
}

extension ExportFolder {
    package func write(_ bytes: any StoredBytes, to path: String) async throws {
        try await file(at: path).take(bytes)
    }
}
