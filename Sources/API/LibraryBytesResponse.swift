package import EchoText

/// The bytes that the library takes of the disk, by kind.
package struct LibraryBytesResponse: Encodable, Sendable {
    /// The sound of what was recorded or imported.
    package let recordings: Int
    /// The files that recordings were imported from, as they came.
    package let importedFiles: Int
    /// The sound of narrations.
    package let narrations: Int
    /// Documents as they were given, and their texts.
    package let documents: Int
    /// Sound that was recorded while practicing.
    package let takes: Int
    /// Recordings and narrations that are not finished.
    package let unfinished: Int
    /// Speech that is remembered, and made again where it is missing.
    package let speechCache: Int
    /// Everything else: texts, transcripts, lists and settings.
    package let database: Int

    package init(_ size: LibrarySize) {
        (recordings, importedFiles, narrations) = (size[.recordings], size[.importedFiles], size[.narrations])
        (documents, takes, unfinished) = (size[.documents], size[.takes], size[.unfinished])
        (speechCache, database) = (size[.speechCache], size[.database])
    }
}
