import EchoText
import Foundation
import Logging
import SpeechEngines
import TextAnalysis
import Workers

/// Speaks one text repeatedly in a warm process, and prints the time of each run, one JSON object a line.
///
/// `echotext-bench MODE --voice DIR|ID --text-file FILE [--repeat N] [--lanes N]`, where MODE is `narrate` (through a
/// worker process), `narrate-in-process` (the model without a worker), `narrate-both` (alternating), `first` (through a
/// worker, up to the first sound) or `espeak`. The first run is not printed.
struct Benchmark {
    let mode: String
    let voice: String
    let text: String
    let repeats: Int
    let lanes: Int

    /// The arguments after the mode, in pairs.
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
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        let sherpa = ProcessInfo.processInfo.environment["ECHOTEXT_SHERPA_ONNX"]
        let workers = EngineWorkerPool(launch(sherpa), logger: logger)
        guard mode != "espeak" else {
            try await measure(EspeakSynthesizer(engine: workers), as: .init(rawValue: voice))
            return await workers.endAll()
        }
        let folder = try VoiceFolder.find(at: voice)
        func synthesizer(_ loader: any AcousticModelLoader) throws -> PiperSynthesizer {
            PiperSynthesizer(
                voices: FixedPiperVoices([try PiperVoice(in: folder)]),
                pronouncer: workers,
                loader: loader,
                lanes: lanes,
                logger: logger
            )
        }
        let inProcess = PiperModelLoader(libraries: sherpa)
        switch mode {
        case "narrate-in-process": try await measure(try synthesizer(inProcess), as: folder.id)
        case "narrate", "first": try await measure(try synthesizer(workers), as: folder.id)
        case "narrate-both": try await compare(try synthesizer(workers), try synthesizer(inProcess), as: folder.id)
        default: throw BenchmarkError.usage
        }
        await workers.endAll()
    }

    /// The program in the same folder, as a worker.
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
        for round in 0...repeats {
            let spoken = try await speak(by: synthesizer, as: id)
            guard round > 0 else { continue }
            print(#"{"wall":\#(spoken.wall),"audio":\#(spoken.audio),"first":\#(spoken.first)}"#)
        }
    }

    /// The order alternates, so that other load on the machine affects both alike.
    private func compare(
        _ worker: any SpeechSynthesizer,
        _ inProcess: any SpeechSynthesizer,
        as id: Voice.ID
    ) async throws {
        for round in 0...repeats {
            var walls: [Double] = []
            for synthesizer in round.isMultiple(of: 2) ? [worker, inProcess] : [inProcess, worker] {
                walls.append(try await speak(by: synthesizer, as: id).wall)
            }
            if !round.isMultiple(of: 2) { walls.reverse() }
            guard round > 0 else { continue }
            print(#"{"worker":\#(walls[0]),"in_process":\#(walls[1])}"#)
        }
    }

    /// The time to speak the text, the length of its sound and the time to the first sound, in seconds.
    private func speak(
        by synthesizer: any SpeechSynthesizer,
        as id: Voice.ID
    ) async throws -> (wall: Double, audio: Double, first: Double) {
        guard let voice = try await synthesizer.voices().first(where: { $0.id == id }) else {
            throw BenchmarkError.usage
        }
        let narrator = Narrator(synthesizer: synthesizer, segmenter: ICUSegmenter(), engineLanes: lanes)
        let order = NarrationOrder(name: "Benchmark", voice: voice)
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
        return (wall, Double(samples) / Double(voice.sampleRate), (first ?? .zero) / .seconds(1))
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
    } else if mode == "recordings" {
        try await RecordingBenchmark(arguments: arguments).run()
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
