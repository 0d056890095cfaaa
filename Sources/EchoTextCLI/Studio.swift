import AudioFiles
import DocumentReaders
import EchoText
import FileSystem
import Foundation
import LibraryStore
import Logging
import ModelInstallation
import Outbound
import SpeechEngines
import TextAnalysis
import Workers

/// Voices, engines, recognizers and document readers, wired: this file connects the ports of speech and documents to
/// their adapters.
///
/// Its extensions wire connections, recognizers with the voice activity detector, and the transcription tools. The
/// library with its vault is wired in `LibraryAccess.swift`, the page with its downloads in `Serve.swift`. Commands
/// create what only they use: sound files, loudspeakers, microphones and clients.
struct Studio: Closeable {
    let settings: Settings
    let logger: Logger
    let narrator: Narrator
    /// Installs voices in the voices folder, and removes them.
    let installer: any VoiceInstaller
    private let espeakVoices: [Voice]
    private let pipers: PiperVoiceFolders
    private let workers: EngineWorkerPool

    /// The voices that can speak at the moment.
    var voices: [Voice] {
        get async { espeakVoices + (await pipers.voices().map(\.voice)) }
    }

    /// The folders of voices that cannot speak, with the reasons.
    var faults: [VoiceFault] {
        get async { await pipers.faults() }
    }

    /// Lets a disabled voice speak again.
    func enable(_ id: Voice.ID) async {
        // A voice that cannot be read reports its error when it is used.
        guard let voice = try? await pipers.voice(id) else { return }
        await workers.enable(voice.folder)
    }

    /// How the engines are used.
    struct Engines: Sendable {
        /// How many phrases are synthesized at once.
        var lanes = ProcessInfo.processInfo.activeProcessorCount
        /// How long an engine may be silent before it counts as hung.
        var timeout = Duration.seconds(60)
        /// The folder of a voice to use in addition to the installed ones.
        var voiceFolder: String?
        /// The voice that speaks first, unless the text is in a language that it does not speak.
        var first: FirstVoice?
    }

    /// A voice that is likely to speak.
    struct FirstVoice: Sendable, Hashable {
        let id: Voice.ID
        /// The language of the text as BCP 47, if it is known; a voice that does not speak it is not opened.
        let language: String?
    }

    /// - Throws: ``EngineLibraryError`` when espeak-ng is missing, ``WorkerError`` when espeak-ng's worker process does not
    ///   start, ``VoiceFolderError`` for the folder named in `engines`.
    static func live(_ engines: Engines = Engines()) async throws -> Studio {
        let settings = Settings(environment: ProcessInfo.processInfo.environment)
        let logger = logger(at: settings.logLevel)
        let named = try engines.voiceFolder.map { [try PiperVoice(in: VoiceFolder.find(at: $0))] }
        let workers = workerPool(settings, timeout: engines.timeout, logger: logger)
        let installer = installer(settings, logger: logger)
        let pipers = PiperVoiceFolders(in: settings.voicesFolder, and: named ?? []) { layout, folder in
            await installer.note(layout, of: folder)
        }
        let piper = PiperSynthesizer(
            voices: pipers,
            pronouncer: workers,
            loader: workers,
            lanes: engines.lanes,
            logger: logger
        )
        // A natural voice takes longer to open than espeak-ng to list its voices, so it begins first.
        let first = named?.first.map { FirstVoice(id: $0.voice.id, language: nil) } ?? engines.first
        if let first { await piper.prepare(first.id, for: first.language) }
        let espeak: EngineIntroduction
        do {
            espeak = try await workers.introduction()
        } catch {
            await workers.endAll()
            throw error
        }
        for fault in await pipers.faults() {
            logger.warning("a voice is left out", metadata: ["code": "\(fault.error.code)"])
        }
        let synthesizer = CombinedSynthesizer(
            [.espeakNG: EspeakSynthesizer(engine: workers), .piper: piper],
            shift: RubberBandPitchShifter(lanes: engines.lanes).shift
        )
        return Studio(
            settings: settings,
            logger: logger,
            narrator: Narrator(
                synthesizer: synthesizer,
                segmenter: ICUSegmenter(),
                engineLanes: engines.lanes,
                version: versions(espeak: espeak.version, piper: pipers)
            ),
            installer: installer,
            espeakVoices: espeak.voices,
            pipers: pipers,
            workers: workers
        )
    }

    /// Passes the wired program to `work`, and ends its worker processes afterwards.
    ///
    /// - Throws: What ``live(_:)`` and `work` throw.
    static func with<Output: Sendable>(
        _ engines: Engines = Engines(),
        _ work: (Studio) async throws -> Output
    ) async throws -> Output {
        let studio = try await live(engines)
        return try await studio.closing { try await work(studio) }
    }

    /// Ends all worker processes.
    func close() async {
        await endWorkers()
    }

    /// Ends the engines' processes; new ones start at the next synthesis.
    func endWorkers() async {
        await workers.endAll()
    }

    /// Reads the id of the voice in `folder`.
    ///
    /// - Throws: ``VoiceFolderError``.
    func id(ofVoiceIn folder: String) throws -> Voice.ID { try VoiceFolder.find(at: folder).id }

    /// The server side of an engine's worker process.
    static func workerServer() throws -> EngineWorkerServer {
        let confinement = try WorkerConfinement.ofThisProcess()
        let settings = Settings(environment: ProcessInfo.processInfo.environment)
        return EngineWorkerServer(
            loader: PiperModelLoader(libraries: settings.sherpaFolder),
            pronouncer: { try await EspeakEngine() },
            confinement: confinement
        )
    }

    /// Makes the document reader, which reads each document in its own process.
    static func documentReader(logger: Logger) -> any DocumentReader {
        var launch = WorkerLaunch.reader
        launch.needsConfinement = !Settings.ofThisProcess.allowsUnconfined
        return WorkerDocumentReader(launch, logger: logger)
    }

    /// The document reader, with this process's log level.
    static var documentReader: any DocumentReader {
        documentReader(logger: logger(at: Settings.ofThisProcess.logLevel))
    }

    /// Detects the encoding of text that is not UTF-8, in its own process.
    static var textDecoding: FileTextSource.Decoding { { try await documentReader.decode($0) } }

    /// The server side of a process that reads one document.
    static func readerServer() throws -> ReaderWorkerServer {
        ReaderWorkerServer(confinement: try WorkerConfinement.ofThisProcess()) { next, give in
            try TextReader().read(next, giving: give)
        } reader: { leavingOut, beginning in
            LocalDocumentReader(leavingOut: leavingOut, beginning: beginning)
        }
    }

    /// The server side of a process that unpacks one archive.
    static func unpackerServer() throws -> UnpackerWorkerServer {
        UnpackerWorkerServer(unpacker: LibarchiveUnpacker(), confinement: try WorkerConfinement.ofThisProcess())
    }

    /// Makes the decoder of sound files, which decodes each file in its own process.
    static func soundDecoder(logger: Logger) -> any SoundFileDecoder {
        let settings = Settings.ofThisProcess
        var launch = WorkerLaunch.decoder
        launch.needsConfinement = !settings.allowsUnconfined
        return CombinedSoundDecoder(
            simple: WorkerSoundDecoder(launch, logger: logger),
            any: FFmpegDecoder(
                searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "",
                needsConfinement: launch.needsConfinement
            )
        )
    }

    /// The sound decoder, with this process's log level.
    static var soundDecoder: any SoundFileDecoder {
        soundDecoder(logger: logger(at: Settings.ofThisProcess.logLevel))
    }

    /// The server side of a process that decodes one sound file.
    static func decoderServer() throws -> DecoderWorkerServer {
        DecoderWorkerServer(
            confinement: try WorkerConfinement.ofThisProcess(),
            decoding: SoundFileDecoding.decode(length:read:give:)
        )
    }

    private static func installer(
        _ settings: Settings,
        logger: Logger
    ) -> FolderVoiceInstaller {
        var unpacker = WorkerLaunch.unpacker
        unpacker.needsConfinement = !settings.allowsUnconfined
        return FolderVoiceInstaller(
            in: URL(filePath: settings.voicesFolder).standardizedFileURL.path,
            unpacker: WorkerUnpacker(unpacker, logger: logger),
            examiner: PiperVoiceExaminer(logger: logger) {
                // A separate pool: its workers end when the test of the voice ends, not with the library.
                let pool = workerPool(settings, timeout: Engines().timeout, logger: logger)
                return .init(loader: pool, pronouncer: pool) { await pool.endAll() }
            }
        )
    }

    /// The versions that decide whether cached speech of a voice is still valid: program, engine and model file.
    private static func versions(
        espeak: String,
        piper: PiperVoiceFolders
    ) -> @Sendable (Voice.ID) async -> String? {
        let program = EchoTextCommand.version
        return { voice in
            switch Voice.Engine(of: voice) {
            case .espeakNG: "\(program) espeak-ng \(espeak)"
            case .piper:
                // A voice that cannot be read has no version.
                (try? await piper.voice(voice)).map {
                    "\(program) espeak-ng \(espeak) piper \(PiperModelLoader.version) \($0.stamp)"
                }
            case nil: nil
            }
        }
    }

    private static func workerPool(_ settings: Settings, timeout: Duration, logger: Logger) -> EngineWorkerPool {
        var launch = WorkerLaunch.thisProgram
        if let folder = settings.sherpaFolder {
            launch.environment["ECHOTEXT_SHERPA_ONNX"] = folder
            // A sandbox can only be given paths that exist.
            if FileManager.default.fileExists(atPath: folder) { launch.readablePaths = [folder] }
        }
        var timing = WorkerTiming()
        timing.responseTimeout = timeout
        return EngineWorkerPool(launch, timing: timing, logger: logger)
    }

    static func logger(at level: String?) -> Logger {
        guard let level = level.flatMap({ Logger.Level(rawValue: $0) }) else {
            return Logger(label: "echotext") { _ in SwiftLogNoOpLogHandler() }
        }
        var logger = Logger(label: "echotext") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}

extension Settings {
    /// The log of connections made while no library was open.
    var outboundNotes: OutboundNoteFile { OutboundNoteFile(path: outboundFile) }

    /// Makes a client that logs its connections in a file of its own; the library takes them over the next time it is
    /// opened.
    ///
    /// - Parameter rules: Returns the rules for connections.
    /// - Returns: A client without open connections.
    func outboundClient(_ rules: @escaping @Sendable () async throws -> OutboundRules) -> OutboundClient {
        OutboundClient(environment: ProcessInfo.processInfo.environment, ledger: outboundNotes, rules: rules)
    }
}

extension Studio {
    /// Passes the voice downloads to `work`, and closes their connections afterwards.
    ///
    /// - Parameters:
    ///   - rules: The rules for connections, which are closed afterwards, too.
    ///   - events: Receives progress.
    ///   - work: The work that uses the downloads.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws.
    func withModelDownloads<Output>(
        _ rules: FollowedRules,
        events: StudioEvents = StudioEvents(),
        _ work: (ModelDownloads) async throws -> Output
    ) async throws -> Output {
        let client = settings.outboundClient { try await rules.rules() }
        let downloads = voiceDownloads(through: client, events: events)
        return try await rules.closing {
            try await client.closing {
                try await downloads.closing { try await work(downloads) }
            }
        }
    }

    /// Absolute path of the folder of the voices.
    var voicesFolder: String { URL(filePath: settings.voicesFolder).standardizedFileURL.path }

    /// Makes the voice downloads that connect through `client`.
    ///
    /// - Parameters:
    ///   - client: Opens connections.
    ///   - events: Receives progress and changes.
    ///   - hasChanged: Called when a voice was installed or removed.
    /// - Returns: Voice downloads, none of them running.
    func voiceDownloads(
        through client: OutboundClient,
        events: StudioEvents,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in }
    ) -> ModelDownloads {
        ModelDownloads(
            .init(
                catalogue: OutboundCatalogue(client: client),
                archives: OutboundArchives(client: client, folder: voicesFolder),
                installer: installer,
                memory: CatalogueFile(folder: voicesFolder),
                recognizers: recognizerInstaller
            ),
            events: events,
            hasChanged: hasChanged
        )
    }
}

/// Recognizers and the voice activity detector, wired.
extension Studio {
    /// The recognizers of this machine; each session runs in its own process.
    var recognizers: any SpeechRecognizer { Self.localRecognizers(settings, logger: logger) }

    /// Detects speech with the Silero model, or by loudness and pitch where that is missing.
    var voiceActivity: any VoiceActivityDetector {
        guard let model = settings.voiceActivityModel, settings.sherpaFolder != nil else { return EnergyDetector() }
        return WorkerVoiceDetector(model: model, Self.recognitionLaunch(settings), logger: logger)
    }

    /// Diarizes speakers, where the models are installed; each recording in its own process.
    var diarizer: any SpeakerDiarizer { Self.diarizer(settings, logger: logger) }

    /// Installs recognizers in their folder, and removes them.
    var recognizerInstaller: any RecognizerInstaller { Self.recognizerInstaller(settings, logger: logger) }

    /// Makes the installer of recognizers without starting the engines that speak.
    static func recognizerInstaller(_ settings: Settings, logger: Logger) -> any RecognizerInstaller {
        var unpacker = WorkerLaunch.unpacker
        unpacker.needsConfinement = !settings.allowsUnconfined
        return FolderRecognizerInstaller(
            in: settings.recognizersFolder,
            unpacker: WorkerUnpacker(unpacker, logger: logger),
            examiner: localRecognizers(settings, logger: logger),
            speakers: diarizer(settings, logger: logger)
        )
    }

    static func recognizerPaces(_ settings: Settings) -> any RecognizerPaceStore {
        RecognizerPaceFile(in: settings.recognizersFolder)
    }

    static func localRecognizers(_ settings: Settings, logger: Logger) -> WorkerRecognizer {
        let folders = RecognizerFolders(in: settings.recognizersFolder)
        let canRun = settings.sherpaFolder != nil
        return WorkerRecognizer(recognitionLaunch(settings), logger: logger) {
            (canRun ? folders.recognizers() : []) + [LocalRecognizer.pocketSphinx()].compactMap(\.self)
        }
    }

    static func diarizer(_ settings: Settings, logger: Logger) -> WorkerDiarizer {
        let folders = RecognizerFolders(in: settings.recognizersFolder)
        let canRun = settings.sherpaFolder != nil
        return WorkerDiarizer(recognitionLaunch(settings), logger: logger) { canRun ? folders.speakerModels() : [] }
    }

    private static func recognitionLaunch(_ settings: Settings) -> WorkerLaunch {
        var launch = WorkerLaunch.recognizer
        launch.needsConfinement = !settings.allowsUnconfined
        if let folder = settings.sherpaFolder {
            launch.environment["ECHOTEXT_SHERPA_ONNX"] = folder
            // A sandbox can only be given paths that exist.
            if FileManager.default.fileExists(atPath: folder) { launch.readablePaths = [folder] }
        }
        return launch
    }

    /// The server side of a recognition process.
    static func recognitionServer() throws -> RecognitionWorkerServer {
        let confinement = try WorkerConfinement.ofThisProcess()
        let libraries = Settings.ofThisProcess.sherpaFolder
        return RecognitionWorkerServer(
            loader: LocalRecognizerLoader(libraries: libraries),
            detector: { SileroDetector(model: $0, libraries: libraries) },
            speakers: SherpaSpeakerLoader(libraries: libraries),
            confinement: confinement
        )
    }
}

extension Studio {
    /// Makes the transcription tools.
    ///
    /// - Parameters:
    ///   - client: Sends audio to services.
    ///   - services: Returns the services that are configured at the moment.
    /// - Returns: The tools, with no session open.
    func transcriptionTools(
        through client: OutboundClient,
        _ services: @escaping @Sendable () async throws -> [TranscriptionService]
    ) -> TranscriptionTools {
        TranscriptionTools(
            recognizer: CombinedRecognizer([recognizers, RemoteRecognizer(client: client, services: services)]),
            detector: voiceActivity,
            diarizer: diarizer,
            paces: Self.recognizerPaces(settings),
            conversion: { try SampleRateConversion(from: $0, to: $1) },
            digest: { try await SoundDigest.sha256(of: $0) },
            sending: { recognizer, seconds in
                guard let service = try await services().first(where: { $0.id == recognizer }) else { return nil }
                // Offline nothing can be sent, so nobody is asked.
                try await client.refuseOffline()
                return Sending(seconds: seconds, to: service)
            }
        )
    }

    var networkWatch: any NetworkWatch { RouteWatch() }
}

/// Holds the library session of a program that creates its outbound client before it opens a library.
actor LibrarySessionPlace {
    private var session: LibrarySession?

    func set(_ session: LibrarySession) { self.session = session }

    /// The library; `nil` while it is closed.
    var library: Library? {
        get async { await session?.present?.library }
    }

    /// - Throws: ``VaultError/locked`` while it is closed.
    var openLibrary: Library {
        get async throws {
            guard let library = await library else { throw VaultError.locked }
            return library
        }
    }
}
