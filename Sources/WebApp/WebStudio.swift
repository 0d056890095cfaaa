package import EchoText

/// The parts of the program that the server uses.
package struct WebStudio: Sendable {
    package let librarySession: LibrarySession
    package let narrator: Narrator
    private let presentVoices: @Sendable () async -> [Voice]
    /// Downloads, installs and removes voices.
    package let voiceServices: VoiceServices
    /// Reads documents.
    package let reader: any DocumentReader
    /// Makes the sound files that are downloaded.
    package let sounds: any SoundFiles
    /// Imports sound files into the library.
    package let soundImports: SoundImports
    /// The path of the folder that contains the recognizers' folders.
    package let recognizersFolder: String
    package let version: String
    /// A report on the machine and the program without private data.
    package let diagnostics: @Sendable () async -> String
    /// Sends a service the sound of a trial; called with leave to do so.
    let tryService: @Sendable (TranscriptionService) async throws -> RecognizedSpeech
    /// Every connection that was made; the library's own list when absent.
    let outbound: CombinedLedger?
    /// The connections of the server.
    var connections = OpenConnections()

    package init(
        librarySession: LibrarySession,
        narrator: Narrator,
        voices: @escaping @Sendable () async -> [Voice],
        voiceServices: VoiceServices,
        reader: any DocumentReader,
        sounds: any SoundFiles,
        soundImports: SoundImports,
        recognizersFolder: String,
        version: String,
        diagnostics: @escaping @Sendable () async -> String,
        tryService: @escaping @Sendable (TranscriptionService) async throws -> RecognizedSpeech,
        outbound: CombinedLedger? = nil
    ) {
        self.librarySession = librarySession
        self.narrator = narrator
        presentVoices = voices
        self.voiceServices = voiceServices
        self.reader = reader
        self.sounds = sounds
        self.soundImports = soundImports
        self.recognizersFolder = recognizersFolder
        self.version = version
        self.diagnostics = diagnostics
        self.tryService = tryService
        self.outbound = outbound
    }

    /// The voices that can speak at the moment.
    package var voices: [Voice] {
        get async { await presentVoices() }
    }

    /// Lists every voice: built in, installed, or in the catalogue.
    ///
    /// - Parameters:
    ///   - installedVoices: The installed voices; read again when absent.
    ///   - library: The library with the records of voices and the selected profile.
    /// - Returns: The built-in voices, then the others by id.
    /// - Throws: ``VaultError``, and what the installer throws.
    func listings(of installedVoices: InstalledVoices? = nil, for library: Library) async throws -> [VoiceListing] {
        let downloads = voiceServices.downloads
        let present: InstalledVoices
        if let installedVoices { present = installedVoices } else { present = try await downloads.installedVoices() }
        return await downloads.listings(
            of: present,
            speaking: await voices,
            records: try await library.voices.records(),
            selected: try await library.profiles.chosen().profile.voice
        )
    }

    var events: StudioEvents { librarySession.events }
}

/// The services with which the server downloads, installs and removes voices.
package struct VoiceServices: Sendable {
    package let downloads: ModelDownloads
    package let inbox: any VoiceInbox
    /// The path of the folder that contains the neural voices' folders.
    package let folder: String
    /// The person's rules for connections.
    package let rules: @Sendable () async throws -> OutboundRules
    /// Lets a voice that was disabled after crashes speak again.
    package let enable: @Sendable (Voice.ID) async -> Void

    package init(
        downloads: ModelDownloads,
        inbox: any VoiceInbox,
        folder: String,
        rules: @escaping @Sendable () async throws -> OutboundRules,
        enable: @escaping @Sendable (Voice.ID) async -> Void
    ) {
        self.downloads = downloads
        self.inbox = inbox
        self.folder = folder
        self.rules = rules
        self.enable = enable
    }
}
