import EchoText
import Foundation
import Logging
import SpeechEngines
import TextAnalysis
import Workers

/// Speaks one text again and again in a process that stays warm, and prints what each time cost, one JSON object a line.
///
/// `echotext-bench MODE --voice DIR|ID --text-file FILE [--repeat N] [--lanes N]`, where MODE is `narrate` (through a worker
/// process), `narrate-in-process` (without one), `first` (through a worker, up to the first sound) or `espeak`. The first
/// time is not printed.
struct Benchmark {
    let mode: String
    let voice: String
    let text: String
    let repeats: Int
    let lanes: Int

    /// What follows the mode, in pairs.
    static func options(in arguments: [String]) -> [String: String] {
        var options: [String: String] = [:]
        var index = 2
        while index + 1 < arguments.count {
            options[arguments[index]] = arguments[index + 1]
            index += 2
        }
        return options
    }

    init(arguments: [String]) throws {
        let options = Self.options(in: arguments)
        guard arguments.count > 1, let file = options["--text-file"], let voice = options["--voice"] else {
            throw BenchmarkError.usage
        }
        mode = arguments[1]
        self.voice = voice
        text = try String(contentsOfFile: file, encoding: .utf8)
        repeats = options["--repeat"].flatMap { Int($0) } ?? 5
        lanes = options["--lanes"].flatMap { Int($0) } ?? ProcessInfo.processInfo.activeProcessorCount
    }

    func run() async throws {
        let library = try await EspeakLibrary()
        let watch = EngineWatch(timeout: .seconds(600))
        let phonemizer = EspeakPhonemizer(library: library, watch: watch)
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        guard mode != "espeak" else {
            return try await measure(EspeakSynthesizer(library: library, watch: watch), as: .init(rawValue: voice))
        }
        let folder = try VoiceFolder.find(at: voice)
        let sherpa = ProcessInfo.processInfo.environment["ECHOTEXT_SHERPA_ONNX"]
        let loader: any AcousticModelLoader
        switch mode {
        case "narrate-in-process": loader = SherpaModelLoader(library: try SherpaLibrary(folder: sherpa))
        case "narrate", "first": loader = EngineWorkerPool(launch(sherpa), logger: logger)
        default: throw BenchmarkError.usage
        }
        let synthesizer = PiperSynthesizer(
            voices: FixedPiperVoices([try PiperVoice(in: folder)]),
            phonemizer: phonemizer,
            loader: loader,
            lanes: lanes,
            logger: logger
        )
        try await measure(synthesizer, as: folder.id)
        await (loader as? EngineWorkerPool)?.endAll()
    }

    /// The program beside this one, as a worker.
    private func launch(_ sherpa: String?) -> WorkerLaunch {
        let own = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var launch = WorkerLaunch(executable: own.deletingLastPathComponent().appending(path: "echotext").path)
        if let sherpa {
            launch.environment["ECHOTEXT_SHERPA_ONNX"] = sherpa
            launch.readablePaths = [sherpa]
        }
        return launch
    }

    private func measure(_ synthesizer: any SpeechSynthesizer, as id: Voice.ID) async throws {
        guard let voice = try await synthesizer.voices().first(where: { $0.id == id }) else {
            throw BenchmarkError.usage
        }
        let narrator = Narrator(synthesizer: synthesizer, segmenter: ICUSegmenter(), engineLanes: lanes)
        let order = NarrationOrder(name: "Benchmark", voice: voice)
        for round in 0...repeats {
            let narration = try narrator.narration(of: StringSource(text), as: order, lanes: lanes)
            let clock = ContinuousClock()
            let begun = clock.now
            var first: Duration?
            var samples = 0
            for try await passage in narration {
                if first == nil { first = clock.now - begun }
                samples = passage.end
                if mode == "first" { break }
            }
            let wall = (clock.now - begun) / .seconds(1)
            let audio = Double(samples) / Double(voice.sampleRate)
            guard round > 0 else { continue }
            print(#"{"wall":\#(wall),"audio":\#(audio),"first":\#((first ?? .zero) / .seconds(1))}"#)
        }
    }
}

enum BenchmarkError: Error {
    case usage
    case input
}

do {
    let arguments = CommandLine.arguments
    let mode = arguments.dropFirst().first
    if mode == "vault" {
        try await LibraryBenchmark.fillVault(arguments: arguments)
    } else if mode == "library" {
        try await LibraryBenchmark(arguments: arguments).run()
    } else if let mode, SealedFileBenchmark.modes.contains(mode) {
        try SealedFileBenchmark(mode: mode, options: Benchmark.options(in: arguments)).run()
    } else if let mode, DocumentBenchmark.modes.contains(mode) {
        try await DocumentBenchmark(mode: mode, options: Benchmark.options(in: arguments)).run()
    } else {
        try await Benchmark(arguments: arguments).run()
    }
} catch {
    FileHandle.standardError.write(Data("echotext-bench: \(error)\n".utf8))
    exit(1)
}
