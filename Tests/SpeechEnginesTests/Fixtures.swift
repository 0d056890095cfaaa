import EchoText
import EchoTextTesting
import Foundation
import Logging
import SpeechEngines
import Workers

/// The voices that `make fixtures` makes, and the engine that speaks with them.
enum Fixtures {
    /// `.build/fixtures`, unless `ECHOTEXT_FIXTURES` names another folder.
    static let folder = BuiltPackage.fixtures
    static let voice = "\(folder)/vits-piper-en_US-fixture-low"
    static let library = BuiltPackage.sherpaONNX
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The program that this package builds, as a worker.
    static var program: String { BuiltPackage.program("echotext") }

    static func workers(timing: WorkerTiming = WorkerTiming()) -> EngineWorkerPool {
        var launch = WorkerLaunch(executable: program)
        launch.environment["ECHOTEXT_SHERPA_ONNX"] = library
        launch.readablePaths = [library]
        return EngineWorkerPool(launch, timing: timing, logger: logger)
    }

    static func synthesizer(
        of folder: String = voice,
        loader: any AcousticModelLoader,
        lanes: Int = 2
    ) async throws -> PiperSynthesizer {
        PiperSynthesizer(
            voices: FixedPiperVoices([try PiperVoice(in: VoiceFolder.find(at: folder))]),
            pronouncer: try await EspeakEngine(),
            loader: loader,
            lanes: lanes,
            logger: logger
        )
    }
}
