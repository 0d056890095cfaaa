import ArgumentParser
import AudioFiles
import CProcess
import EchoText
import FileSystem
import Foundation
import LibraryStore
import Logging
import Outbound
import VoiceInstallation
import WebApp

/// `echotext serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the page: speak, listen and keep in a browser on this machine.",
        discussion: """
            Prints an address that lets one browser in, once. The page is on this machine only, and only for you; \
            it is served until Ctrl-C. Ran a second time, it prints an address for another browser.
            """
    )

    @Option(help: ArgumentHelp("Where to listen; 0 for any port that is free.", valueName: "port"))
    var port = WebServer.usualPort

    @Flag(
        help: "Connect to nothing, whatever the page asks for. Voices in a local folder can be installed all the same."
    )
    var offline = false

    @Flag(help: "Do not open a browser.")
    var noBrowser = false

    @Flag(help: "Open a browser without a terminal too, as an entry in a menu of programs does.")
    var browser = false

    func validate() throws {
        guard !(browser && noBrowser) else { throw ValidationError("--browser and --no-browser exclude each other.") }
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    }

    func run() async throws {
        // The process outlives a lock of the library; texts that were open must not.
        let wipesMemory = wipe_freed_memory() != 0
        let settings = Settings.ofThisProcess
        let sessions = SessionStore(folder: settings.webFolder)
        let running = RunningServer(folder: settings.webFolder)
        if let address = running.address() { return try await report(address, sessions) }
        try await TerminationSignals.cancelling {
            try await Studio.with { studio in
                if !wipesMemory {
                    studio.logger.notice(
                        "another allocator keeps freed memory from being overwritten: a lock leaves texts in it"
                    )
                }
                let vault = InteractiveVault(settings.vault)
                let events = StudioEvents()
                let connections = OpenConnections()
                let lanes = ProcessInfo.processInfo.activeProcessorCount
                let installer = studio.installer
                let folder = settings.libraryFolder
                let place = LibrarySessionPlace()
                let isOffline = offline
                let kept = CachedRules { try await place.library?.settings.outboundRules() }
                let rules = { @Sendable in try await kept.rules().overridden(by: settings, isOffline: isOffline) }
                let ledger = CombinedLedger(aside: settings.outboundNotes) { await place.library?.outbound }
                let client = OutboundClient(
                    environment: ProcessInfo.processInfo.environment,
                    ledger: ledger,
                    rules: rules
                )
                let librarySession = LibrarySession(
                    to: vault,
                    narrator: studio.narrator,
                    transcription: studio.transcriptionTools(through: client) {
                        try await place.openLibrary.services.services()
                    },
                    network: studio.networkWatch,
                    events: events,
                    lanes: lanes
                ) { library in
                    // A change that cannot be recorded now is recorded the next time the library is opened.
                    try? await VoiceAudit.record(voicesOf: installer, in: library.voices)
                    try? await library.profiles.suggest(settings.standardVoice)
                    try? await settings.outboundNotes.move(into: library.outbound)
                } closed: {
                    connections.endAfterAnswers()
                    // Workers hold texts in memory; one that does not exit must not delay the lock.
                    await Self.awaitEnd(of: studio)
                } freeSpace: {
                    FreeSpace.bytes(at: folder)
                }
                await place.set(librarySession)
                let downloads = studio.voiceDownloads(through: client, events: events) { change in
                    // While the library is closed or read-only, the change is recorded the next time it is opened.
                    try? await librarySession.present?.library.voices.note(change)
                    try? await librarySession.present?.library.profiles.suggest(settings.standardVoice)
                }
                let watching = Task { await Self.reportRecognizers(in: studio.settings.recognizersFolder, to: events) }
                defer { watching.cancel() }
                // The page shows why the library does not open; leftover files are removed another time.
                try? await librarySession.open()
                try? await downloads.sweep()
                do {
                    let inbox = FolderVoiceInbox(in: studio.voicesFolder)
                    let voices = VoiceServices(
                        downloads: downloads,
                        inbox: inbox,
                        folder: studio.settings.voicesFolder,
                        rules: rules
                    ) {
                        await studio.forgive($0)
                    }
                    let server = WebServer(
                        studio.web(librarySession, voices, through: client, listedIn: ledger),
                        sessions: sessions,
                        connections: connections,
                        logger: studio.logger
                    )
                    try await server.run(port: port) { address in
                        do {
                            try running.remember(address)
                        } catch WebError.diskFull {
                            EchoTextCommand.say("the disk is full: other runs of “echotext serve” do not find this one")
                        }
                        try await report(address, sessions)
                    }
                } catch is CancellationError {
                    EchoTextCommand.say("the page is closed")
                } catch {
                    await Self.close(downloads, client, librarySession)
                    throw error
                }
                running.forget()
                await Task { await Self.close(downloads, client, librarySession) }.value
            }
        }
    }

    /// Reports that a command has installed or removed a recogniser; the library does not record these.
    private static func reportRecognizers(in folder: String, to events: StudioEvents) async {
        // If the folder cannot be created, it is not watched, and pages see changes when they are next opened.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for await _ in FileChanges.changes(in: folder).dropFirst() { await events.post(.voices) }
    }

    /// How long a lock waits at most for the engines' killed processes to exit.
    private static let timeout = Duration.seconds(5)

    private static func awaitEnd(of studio: Studio) async {
        let end = Ending()
        // A separate task outlives the timeout: nothing can be done about a process that the system holds.
        Task {
            await studio.endWorkers()
            end.come()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await end.wait() }
            // Only a timeout: the wait normally ends when the processes exit, at once unless the system holds them.
            group.addTask { try? await Task.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func close(_ downloads: VoiceDownloads, _ client: OutboundClient, _ librarySession: LibrarySession)
        async
    {
        await downloads.close()
        // Before the connections: what is being sent for the library would fail by their end, and not be left for the next time.
        await librarySession.close()
        await client.close()
    }

    private func report(_ address: WebServer.Address, _ sessions: SessionStore) async throws {
        let ticket = try await sessions.makeTicket()
        try EchoTextCommand.answer(address.page(letting: ticket))
        if isatty(STDERR_FILENO) == 1 {
            EchoTextCommand.say("open that address in a browser on this machine; it works once")
        }
        guard !noBrowser, browser || isatty(STDOUT_FILENO) == 1, Browser.isThere else { return }
        do {
            Browser.show(try await sessions.makeLauncher(for: ticket, at: address))
        } catch WebError.diskFull {
            EchoTextCommand.say("the disk is full: the browser cannot be opened from here")
        }
    }
}

extension Studio {
    /// The parts of the studio that the page uses.
    func web(
        _ librarySession: LibrarySession,
        _ voiceServices: VoiceServices,
        through client: OutboundClient,
        listedIn ledger: CombinedLedger
    ) -> WebStudio {
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let settings = settings
        return WebStudio(
            librarySession: librarySession,
            narrator: narrator,
            voices: { await self.voices },
            voiceServices: voiceServices,
            reader: Self.documentReader(logger: logger),
            sounds: LocalSoundFiles(searchPath: searchPath),
            soundImports: SoundImports(
                decoder: Self.soundDecoder(logger: logger),
                folder: settings.libraryFolder,
                freeSpace: { FreeSpace.bytes(at: settings.libraryFolder) }
            ),
            recognizersFolder: settings.recognizersFolder,
            version: EchoTextCommand.configuration.version,
            diagnostics: {
                await Diagnostics(
                    settings: settings,
                    voices: await self.voices,
                    recognizers: (try? await self.recognizers.recognizers()) ?? [],
                    librarySession: librarySession
                ).text
            },
            tryService: { service in
                try await RemoteRecognizer(client: client, services: { [service] }).attempt(service)
            },
            outbound: ledger
        )
    }
}

/// The library's rules for connections, remembered while it is locked.
private actor CachedRules {
    private let read: @Sendable () async throws -> OutboundRules?
    private var last: OutboundRules?

    /// - Parameter read: Returns the rules in the library's settings; `nil` while they cannot be read.
    init(_ read: @escaping @Sendable () async throws -> OutboundRules?) {
        self.read = read
    }

    /// - Throws: ``VaultError/locked`` when the settings have not been read yet, ``VoiceDownloadError/badAddress``.
    func rules() async throws -> OutboundRules {
        if let rules = try await read() { last = rules }
        guard let last else { throw VaultError.locked }
        return last
    }
}
