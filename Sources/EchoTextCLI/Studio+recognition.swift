import EchoText
import Foundation
import Logging
import SpeechEngines
import VoiceInstallation
import Workers

/// Recognisers and the voice activity detector, wired.
extension Studio {
    /// The recognisers of this machine; each session runs in its own process.
    var recognizers: any SpeechRecognizer { Self.localRecognizers(settings, logger: logger) }

    /// Detects speech with the Silero model, or by loudness and pitch where that is missing.
    var voiceActivity: any VoiceActivityDetector {
        guard let model = settings.voiceActivityModel, settings.sherpaFolder != nil else { return EnergyDetector() }
        return WorkerVoiceDetector(model: model, Self.hearingLaunch(settings), logger: logger)
    }

    /// Diarizes speakers, where the models are installed; each recording in its own process.
    var diarizer: any SpeakerDiarizer { Self.diarizer(settings, logger: logger) }

    /// Installs recognisers in their folder, and removes them.
    var recognizerInstaller: any RecognizerInstaller { Self.recognizerInstaller(settings, logger: logger) }

    /// Makes the installer of recognisers without starting the engines that speak.
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

    static func localRecognizers(_ settings: Settings, logger: Logger) -> WorkerRecognizer {
        let folders = RecognizerFolders(in: settings.recognizersFolder)
        let canRun = settings.sherpaFolder != nil
        return WorkerRecognizer(hearingLaunch(settings), logger: logger) {
            (canRun ? folders.recognizers() : []) + [LocalRecognizer.pocketSphinx()].compactMap(\.self)
        }
    }

    static func diarizer(_ settings: Settings, logger: Logger) -> WorkerDiarizer {
        let folders = RecognizerFolders(in: settings.recognizersFolder)
        let canRun = settings.sherpaFolder != nil
        return WorkerDiarizer(hearingLaunch(settings), logger: logger) { canRun ? folders.speakerModels() : [] }
    }

    private static func hearingLaunch(_ settings: Settings) -> WorkerLaunch {
        var launch = WorkerLaunch.hearing
        launch.needsConfinement = !settings.allowsUnconfined
        if let folder = settings.sherpaFolder {
            launch.environment["ECHOTEXT_SHERPA_ONNX"] = folder
            // A sandbox can only be given paths that exist.
            if FileManager.default.fileExists(atPath: folder) { launch.readablePaths = [folder] }
        }
        return launch
    }

    /// The server side of a recognition process.
    static func hearingServer() throws -> RecognitionWorkerServer {
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
