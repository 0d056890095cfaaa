import ArgumentParser
import AudioFiles
import CProcess
import EchoText
import Foundation
import LibraryStore
import Logging
import Outbound
import VoiceShelf
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
        // The process goes on after a lock; the texts that were open until then must not.
        let wipesMemory = wipe_freed_memory() != 0
        let settings = Settings.ofThisProcess
        let sessions = SessionStore(folder: settings.webFolder)
        let running = RunningServer(folder: settings.webFolder)
        if let address = running.address() { return try await tell(of: address, sessions) }
        try await Interruption.cancelling {
            try await Studio.with { studio in
                if !wipesMemory {
                    studio.logger.notice(
                        "another allocator keeps freed memory from being overwritten: a lock leaves texts in it"
                    )
                }
                let vault = VaultDesk(settings.vault)
                let events = StudioEvents()
                let connections = OpenConnections()
                let lanes = ProcessInfo.processInfo.activeProcessorCount
                let installer = studio.installer
                let door = StudioDoor(to: vault, narrator: studio.narrator, events: events, lanes: lanes) { library in
                    // What cannot be taken down now is another time.
                    try? await VoiceInventory.takeDown(what: installer, in: library.voices)
                    try? await library.profiles.suggest(settings.standardVoice)
                } closed: {
                    connections.endAfterAnswers()
                    // What they were told is in their memory; one that does not go holds up no lock.
                    await Self.awaitEnd(of: studio)
                }
                let isOffline = offline
                let kept = KeptRules { try await door.present?.library.settings.outboundRules() }
                let rules = { @Sendable in try await kept.rules().overridden(by: settings, isOffline: isOffline) }
                let way = OutboundDoor(environment: ProcessInfo.processInfo.environment, rules: rules)
                let desk = studio.voiceDesk(through: way, events: events) { change in
                    // While the library is closed, or cannot be written to, it is taken down when it is opened the next time.
                    try? await door.present?.library.voices.note(change)
                    try? await door.present?.library.profiles.suggest(settings.standardVoice)
                }
                // What keeps it closed is said by the page, and what is left over is swept another time.
                try? await door.open()
                try? await desk.sweep()
                do {
                    let inbox = FolderVoiceInbox(in: studio.shelf)
                    let voices = WebVoices(desk: desk, inbox: inbox, rules: rules) { await studio.forgive($0) }
                    let server = WebServer(
                        studio.web(door, voices),
                        sessions: sessions,
                        connections: connections,
                        logger: studio.logger
                    )
                    try await server.run(port: port) { address in
                        try running.remember(address)
                        try await tell(of: address, sessions)
                    }
                } catch is CancellationError {
                    EchoTextCommand.say("the page is closed")
                } catch {
                    await Self.close(desk, way, door)
                    throw error
                }
                running.forget()
                await Task { await Self.close(desk, way, door) }.value
            }
        }
    }

    /// How long a lock waits for the engines' processes to go, which are killed.
    private static let patience = Duration.seconds(5)

    private static func awaitEnd(of studio: Studio) async {
        let end = Ending()
        Task {
            await studio.endWorkers()
            end.come()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await end.wait() }
            // A bound, and nothing that is waited for: the end of the processes is the event, and this is cancelled when it comes.
            // Killed processes go at once but where the system itself holds them.
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func close(_ desk: VoiceDesk, _ way: OutboundDoor, _ door: StudioDoor) async {
        await desk.close()
        await way.close()
        await door.close()
    }

    private func tell(of address: WebServer.Address, _ sessions: SessionStore) async throws {
        let ticket = try await sessions.makeTicket()
        try EchoTextCommand.answer(address.page(letting: ticket))
        if isatty(STDERR_FILENO) == 1 {
            EchoTextCommand.say("open that address in a browser on this machine; it works once")
        }
        guard !noBrowser, isatty(STDOUT_FILENO) == 1, Browser.isThere else { return }
        Browser.show(try await sessions.makeLauncher(for: ticket, at: address))
    }
}

extension Studio {
    /// The studio as the page uses it.
    func web(_ door: StudioDoor, _ shelf: WebVoices) -> WebStudio {
        let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let settings = settings
        return WebStudio(
            door: door,
            narrator: narrator,
            voices: { await self.voices },
            shelf: shelf,
            reader: Self.documentReader(logger: logger),
            exports: { MemoryFiles(searchPath: searchPath) },
            version: EchoTextCommand.configuration.version,
            diagnostics: { await Diagnostics(settings: settings, voices: await self.voices, door: door).text }
        )
    }
}

/// What the library's settings allow to be connected to, remembered while it is locked.
private actor KeptRules {
    private let read: @Sendable () async throws -> OutboundRules?
    private var last: OutboundRules?

    /// - Parameter read: Gives what the settings say; `nil` while they cannot be read.
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
