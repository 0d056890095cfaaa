package import EchoText

/// All that the server needs of the program.
package struct WebStudio: Sendable {
    package let door: StudioDoor
    package let narrator: Narrator
    private let presentVoices: @Sendable () async -> [Voice]
    /// Where voices come from and go to.
    package let shelf: WebVoices
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
        voices: @escaping @Sendable () async -> [Voice],
        shelf: WebVoices,
        reader: any DocumentReader,
        exports: @escaping @Sendable () -> any ExportFiles & ExportedBytes,
        version: String,
        diagnostics: @escaping @Sendable () async -> String
    ) {
        self.door = door
        self.narrator = narrator
        presentVoices = voices
        self.shelf = shelf
        self.reader = reader
        self.exports = exports
        self.version = version
        self.diagnostics = diagnostics
    }

    /// Who can speak at the moment.
    package var voices: [Voice] {
        get async { await presentVoices() }
    }

    var events: StudioEvents { door.events }
}

/// What the server needs to bring voices onto this machine and to take them away.
package struct WebVoices: Sendable {
    package let desk: VoiceDesk
    package let inbox: any VoiceInbox
    /// What the person allows to be connected to.
    package let rules: @Sendable () async throws -> OutboundRules
    /// Lets a voice that was set aside speak again.
    package let forgive: @Sendable (Voice.ID) async -> Void

    package init(
        desk: VoiceDesk,
        inbox: any VoiceInbox,
        rules: @escaping @Sendable () async throws -> OutboundRules,
        forgive: @escaping @Sendable (Voice.ID) async -> Void
    ) {
        self.desk = desk
        self.inbox = inbox
        self.rules = rules
        self.forgive = forgive
    }
}
