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

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    }

    func run() async throws {
        // The process outlives a lock; the texts that were open must not.
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
                let kept = KeptRules { try await place.library?.settings.outboundRules() }
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
                    // What cannot be recorded now is recorded when the library is opened the next time.
                    try? await VoiceAudit.record(voicesOf: installer, in: library.voices)
                    try? await library.profiles.suggest(settings.standardVoice)
                    try? await settings.outboundNotes.move(into: library.outbound)
                } closed: {
                    connections.endAfterAnswers()
                    // Workers hold texts in their memory; one that does not end must not delay the lock.
                    await Self.awaitEnd(of: studio)
                } freeSpace: {
                    FreeSpace.bytes(at: folder)
                }
                await place.set(librarySession)
                let downloads = studio.voiceDownloads(through: client, events: events) { change in
                    // While the library is closed or read-only, the change is recorded when it is opened the next time.
                    try? await librarySession.present?.library.voices.note(change)
                    try? await librarySession.present?.library.profiles.suggest(settings.standardVoice)
                }
                let watching = Task { await Self.reportRecognizers(in: studio.settings.recognizersFolder, to: events) }
                defer { watching.cancel() }
                // The page shows why the library does not open; remains are swept another time.
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

    /// Reports that a command has installed or removed a recogniser, of which the library knows nothing.
    private static func reportRecognizers(in folder: String, to events: StudioEvents) async {
        // A folder that cannot be made is not watched: pages then see at their next visit what is in it.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for await _ in FileChanges.changes(in: folder).dropFirst() { await events.post(.voices) }
    }

    /// The longest wait of a lock for the end of the engines' processes, which are killed.
    private static let timeout = Duration.seconds(5)

    private static func awaitEnd(of studio: Studio) async {
        let end = Ending()
        // A task of its own, which outlives the bound: nothing can be done about a process that the system holds.
        Task {
            await studio.endWorkers()
            end.come()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await end.wait() }
            // Only a bound: the end of the processes is the event that counts. Killed processes end at once unless the system
            // itself holds them.
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
        guard !noBrowser, isatty(STDOUT_FILENO) == 1, Browser.isThere else { return }
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
            soundImports: SoundImports(decoder: Self.soundDecoder(logger: logger), folder: settings.libraryFolder),
            recognizersFolder: settings.recognizersFolder,
            version: EchoTextCommand.configuration.version,
            diagnostics: {
                await Diagnostics(settings: settings, voices: await self.voices, librarySession: librarySession).text
            },
            tryService: { service in
                try await RemoteRecognizer(client: client, services: { [service] }).attempt(service)
            },
            outbound: ledger
        )
    }
}

/// The rules for connections in the library's settings, remembered while it is locked.
private actor KeptRules {
    private let read: @Sendable () async throws -> OutboundRules?
    private var last: OutboundRules?

    /// - Parameter read: Returns the rules of the settings; `nil` while they cannot be read.
    init(_ read: @escaping @Sendable () async throws -> OutboundRules?) {
        self.read = read
    }

    /// - Throws: ``VaultError/locked`` when the settings could never be read, ``VoiceDownloadError/badAddress``.
    func rules() async throws -> OutboundRules {
        if let rules = try await read() { last = rules }
        guard let last else { throw VaultError.locked }
        return last
    }
}
