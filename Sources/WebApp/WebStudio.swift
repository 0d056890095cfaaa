package import EchoText

/// All that the server needs of the program.
package struct WebStudio: Sendable {
    package let door: StudioDoor
    package let narrator: Narrator
    /// Those there are when the server starts.
    package let voices: [Voice]
    /// Takes the text from documents.
    package let reader: any DocumentReader
    /// Makes the files that are downloaded, in memory.
    package let exports: @Sendable () -> any ExportFiles & ExportedBytes
    package let version: String
    /// What can be said of the machine and the program without anything private.
    package let diagnostics: @Sendable () async -> String

    package init(
        door: StudioDoor,
        narrator: Narrator,
        voices: [Voice],
        reader: any DocumentReader,
        exports: @escaping @Sendable () -> any ExportFiles & ExportedBytes,
        version: String,
        diagnostics: @escaping @Sendable () async -> String
    ) {
        self.door = door
        self.narrator = narrator
        self.voices = voices
        self.reader = reader
        self.exports = exports
        self.version = version
        self.diagnostics = diagnostics
    }

    var events: StudioEvents { door.events }
}
