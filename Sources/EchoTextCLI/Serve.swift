import ArgumentParser
import AudioFiles
import CProcess
import EchoText
import FileSystem
import Foundation
import LibraryStore
import Logging
import ModelInstallation
import Outbound
import Synchronization
import WebApp

/// `echotext serve`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the page: speak, listen and keep in a browser on this machine.",
        discussion: """
            Prints an address that lets one browser in, once. The page is on this machine only, and only for you; \
            it is served until Ctrl-C. Ran a second time, it prints an address for another browser. Programs of your own that \
            have a key are answered too: “echotext keys” makes it.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where to listen; 0 for any free port. By default \(WebServer.usualPort), or any where that is taken.",
            valueName: "port"
        )
    )
    var port: Int?

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
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port takes 0 to 65535.") }
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
                // In a log it would go unread: then the next command says it.
                let isSeen = isatty(STDERR_FILENO) == 1
                let vault = InteractiveVault(settings.vault, reporting: isSeen ? LibraryAccess.report : nil)
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
                        await studio.enable($0)
                    }
                    let server = WebServer(
                        studio.web(librarySession, voices, through: client, listedIn: ledger),
                        sessions: sessions,
                        connections: connections,
                        logger: studio.logger
                    )
                    try await Self.serve(server, at: port) { address in
                        do {
                            try running.remember(address)
                        } catch WebError.diskFull(let path) {
                            EchoTextCommand.say(
                                "the disk of “\(path)” is full: other runs of “echotext serve” do not find this one"
                            )
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

    /// Serves the page until its task is cancelled.
    ///
    /// Two persons of one machine can serve their pages at once: each address leads to one's own, whatever its port.
    ///
    /// - Parameters:
    ///   - server: What serves it.
    ///   - port: The only one that will do; `nil` for the usual one, or any that is free where another program has it.
    ///   - ready: Called with the address.
    /// - Throws: ``WebError``, `CancellationError`.
    private static func serve(
        _ server: WebServer,
        at port: Int?,
        ready: @escaping @Sendable (WebServer.Address) async throws -> Void
    ) async throws {
        do {
            try await server.run(port: port ?? WebServer.usualPort, ready: ready)
        } catch WebError.portInUse(let taken) where port == nil {
            EchoTextCommand.say("another program listens on port \(taken), so the page has another one")
            try await server.run(port: 0, ready: ready)
        }
    }

    /// Reports that a command has installed or removed a recognizer; the library does not record these.
    private static func reportRecognizers(in folder: String, to events: StudioEvents) async {
        // If the folder cannot be created, it is not watched, and pages see changes when they are next opened.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for await _ in FileChanges.changes(in: folder).dropFirst() { await events.post(.voices) }
    }

    /// How long a lock waits at most for the engines' killed processes to exit.
    private static let timeout = Duration.seconds(5)

    private static func awaitEnd(of studio: Studio) async {
        let end = Latch()
        // A separate task outlives the timeout: nothing can be done about a process that the system holds.
        Task {
            await studio.endWorkers()
            end.set()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await end.wait() }
            // Only a timeout: the wait normally ends when the processes exit, at once unless the system holds them.
            group.addTask { try? await Task.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func close(_ downloads: ModelDownloads, _ client: OutboundClient, _ librarySession: LibrarySession)
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
        } catch WebError.diskFull(let path) {
            EchoTextCommand.say("the disk of “\(path)” is full: the browser cannot be opened from here")
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

    /// - Throws: ``VaultError/locked`` when the settings have not been read yet, ``ModelDownloadError/badAddress``.
    func rules() async throws -> OutboundRules {
        if let rules = try await read() { last = rules }
        guard let last else { throw VaultError.locked }
        return last
    }
}

/// The running server of this person, as other processes find it.
///
/// The server locks its record for as long as it runs. The system releases the lock of a killed process, even if the
/// process is still a zombie.
final class RunningServer: Sendable {
    private struct Record: Codable {
        let host: String
        let port: Int
    }

    private let folder: String
    private let file: String
    private let rename: @Sendable (_ old: String, _ new: String) -> Int32
    private let held = Mutex<LockableFile?>(nil)

    /// - Parameters:
    ///   - folder: Where its record is kept; it is made where it is missing.
    ///   - rename: Gives a file another name, as rename(2) does.
    init(
        folder: String,
        rename: @escaping @Sendable (_ old: String, _ new: String) -> Int32 = { Foundation.rename($0, $1) }
    ) {
        (self.folder, self.rename) = (folder, rename)
        file = "\(folder)/server.json"
    }

    /// The address it listens on; `nil` when no server is running.
    func address() -> WebServer.Address? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let record = LockableFile(descriptor)
        // A running server holds an exclusive lock; if a shared lock succeeds, no server is running.
        guard (try? record.lock(.shared)) == false else { return nil }
        let data = withExtendedLifetime(record) {
            FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).availableData
        }
        guard let found = try? JSONDecoder().decode(Record.self, from: data) else { return nil }
        return WebServer.Address(host: found.host, port: found.port)
    }

    /// - Throws: ``WebError/folderUnusable(path:)``; ``WebError/diskFull(path:)``, no part of a record being left.
    func remember(_ address: WebServer.Address) throws {
        let fresh = "\(file)-\(getpid())"
        unlink(fresh)
        defer { unlink(fresh) }
        var descriptor = Self.create(fresh)
        if descriptor < 0, errno == ENOENT {
            // Only making the folder shows whether there is no room for it or something else is wrong.
            try makeFolder()
            descriptor = Self.create(fresh)
        }
        guard descriptor >= 0 else { throw problem(errno) }
        let record = LockableFile(descriptor)
        try JSONEncoder().encode(Record(host: address.host, port: address.port)).withUnsafeBytes {
            try $0.writeAll(to: descriptor) { problem($0) }
        }
        // The record is locked before it gets its name, so whoever finds it there finds it locked.
        guard (try? record.lock()) == true else { throw WebError.folderUnusable(path: folder) }
        guard rename(fresh, file) == 0 else { throw problem(errno) }
        held.withLock { $0 = record }
    }

    private static func create(_ path: String) -> Int32 {
        open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            let isOfFullDisk = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw isOfFullDisk ? WebError.diskFull(path: folder) : WebError.folderUnusable(path: folder)
        }
    }

    private func problem(_ number: Int32) -> WebError {
        [ENOSPC, EDQUOT].contains(number) ? .diskFull(path: folder) : .folderUnusable(path: folder)
    }

    func forget() {
        unlink(file)
    }
}

/// The person's browser.
enum Browser {
    /// Whether there is a screen that can show a page.
    static var isThere: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    }

    /// Opens the file at `path`, a page, in the browser.
    ///
    /// A browser that does not start is no error: the terminal shows the address as well.
    static func show(_ path: String) {
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/env")
        opener.arguments = ["xdg-open", path]
        (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? opener.run()
    }
}
