/// Where several files are exported to by their paths: a folder, or an archive.
package protocol ExportFolder: Sendable {
    /// Begins a sound file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink

    /// Begins any other file, which appears at `path` when the sink has finished.
    ///
    /// - Throws: ``AudioFileError``.
    func file(at path: String) async throws -> any ByteSink

    /// Writes `bytes` to a file at `path`.
    ///
    /// - Throws: ``AudioFileError``; what reading throws, and there is no such file then.
    func write(_ bytes: any StoredBytes, to path: String) async throws

    /// Makes a folder that only its owner can look into, or takes one that is empty.
    ///
    /// - Throws: ``ExportError/folderNotEmpty``, ``ExportError/folderNotUsable``.
    func folder(at path: String) async throws

    /// Takes away all that is in the folder at `path`, as far as that is possible.
    func empty(_ path: String) async
}

extension ExportFolder {
    package func write(_ bytes: any StoredBytes, to path: String) async throws {
        try await file(at: path).take(bytes)
    }
}
