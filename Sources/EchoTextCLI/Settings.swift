import EchoText
import Foundation
import LibraryStore

/// Everything that can be set from outside the command line, read once at the start.
///
/// ## Environment
/// - `ECHOTEXT_VOICE`: the voice used when none is named; when absent the natural voice that set-up installs, or
///   `espeak/en-US` where that is missing.
/// - `ECHOTEXT_STARTER_VOICE`: `none` uses espeak-ng instead of that natural voice.
/// - `ECHOTEXT_VOICES`: the folder whose folders are neural voices; `echotext/voices` in the person's data folder when
///   absent.
/// - `ECHOTEXT_LIBRARY`: the folder of the library; `echotext/library` in the person's data folder when absent.
/// - `ECHOTEXT_DEVICE`: the folder of this machine's secret; `echotext-device` in the person's state folder when
///   absent.
/// - `ECHOTEXT_TPM`: the security chip as a tpm2-tss TCTI string, such as `device:/dev/tpmrm0`; `none` for no chip;
///   `/dev/tpmrm0` when absent and this person may use it.
/// - `ECHOTEXT_WEB`: the folder of the page's sessions; `echotext-web` in the person's state folder when absent.
/// - `ECHOTEXT_OUTBOUND`: the file of connections that are made while the library is locked;
///   `echotext-outbound/connections` beside the folder of this machine's secret when absent.
/// - `ECHOTEXT_OFFLINE`: whether all connections are refused; the setting `outbound.offline` when absent.
/// - `ECHOTEXT_CATALOGUE`: where voices come from; the setting `voices.catalogue` when absent.
/// - `ECHOTEXT_SHERPA_ONNX`: the folder that holds sherpa-onnx's library; the program's own folder when absent.
/// - `ECHOTEXT_RECOGNIZERS`: the folder whose folders are recognizers; `recognizers` beside the voices' folder when
///   absent.
/// - `ECHOTEXT_VOICE_ACTIVITY`: the model that tells speech from silence, `silero_vad.onnx`; the one beside
///   sherpa-onnx's library when absent. Without one, loudness and pitch decide.
/// - `ECHOTEXT_UNCONFINED`: `1` opens documents and archives even where the process that does so cannot be sandboxed;
///   that process can then access everything that the person can.
/// - `ECHOTEXT_LOG`: what is logged to standard error: `trace`, `debug`, `info`, `notice`, `warning`, `error`; nothing
///   when absent.
struct Settings: Sendable {
    /// The voice that the environment variable names.
    let namedVoice: String?
    /// Whether the natural voice of set-up speaks English when no voice was chosen.
    let usesStarterVoice: Bool
    let voicesFolder: String
    let libraryFolder: String
    let deviceFolder: String
    /// The TCTI string of the security chip; `nil` where none is used.
    let chip: String?
    /// The folder of the page's sessions, in the person's state folder.
    let webFolder: String
    /// The log of connections that no library has taken over yet, next to the folder of this machine's secret.
    let outboundFile: String
    /// The folder for sockets of this login session.
    let runtimeFolder: String?
    let home: String
    /// The environment's rules for connections; `nil` where they are left to the library's settings.
    let isOffline: Bool?
    /// The source of voices that the environment variable names.
    let catalogue: String?
    let sherpaFolder: String?
    let recognizersFolder: String
    /// The model of the voice activity detector; `nil` when there is none.
    let voiceActivityModel: String?
    /// Whether untrusted files are opened even where the process that does so cannot be sandboxed.
    let allowsUnconfined: Bool
    let logLevel: String?

    static var ofThisProcess: Settings { Settings(environment: ProcessInfo.processInfo.environment) }

    init(environment: [String: String]) {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let absolute = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let data = absolute("XDG_DATA_HOME") ?? "\(home)/.local/share"
        let state = absolute("XDG_STATE_HOME") ?? "\(home)/.local/state"
        self.home = home
        libraryFolder = absolute("ECHOTEXT_LIBRARY") ?? "\(data)/echotext/library"
        deviceFolder = absolute("ECHOTEXT_DEVICE") ?? "\(state)/echotext-device"
        chip = Self.chip(named: environment["ECHOTEXT_TPM"])
        webFolder = absolute("ECHOTEXT_WEB") ?? "\(state)/echotext-web"
        outboundFile =
            absolute("ECHOTEXT_OUTBOUND")
            ?? "\((deviceFolder as NSString).deletingLastPathComponent)/echotext-outbound/connections"
        runtimeFolder = absolute("XDG_RUNTIME_DIR")
        voicesFolder = environment["ECHOTEXT_VOICES"] ?? "\(data)/echotext/voices"
        namedVoice = environment["ECHOTEXT_VOICE"]
        usesStarterVoice = environment["ECHOTEXT_STARTER_VOICE"] != "none"
        isOffline = environment["ECHOTEXT_OFFLINE"].map { !["", "0", "off", "no", "false"].contains($0.lowercased()) }
        allowsUnconfined = environment["ECHOTEXT_UNCONFINED"] == "1"
        catalogue = environment["ECHOTEXT_CATALOGUE"]
        sherpaFolder = environment["ECHOTEXT_SHERPA_ONNX"] ?? Self.folderBesideProgram
        let besideVoices = URL(filePath: voicesFolder).standardizedFileURL.deletingLastPathComponent().path
        recognizersFolder = absolute("ECHOTEXT_RECOGNIZERS") ?? "\(besideVoices)/recognizers"
        let model = environment["ECHOTEXT_VOICE_ACTIVITY"] ?? sherpaFolder.map { "\($0)/silero_vad.onnx" }
        voiceActivityModel = model.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        logLevel = environment["ECHOTEXT_LOG"]
    }

    /// The voice used when neither a person nor the environment names one.
    var standardVoice: Voice.ID {
        guard usesStarterVoice else { return VoiceProfile.standard.voice }
        return StarterVoice.standard(among: VoiceFolder.all(in: voicesFolder).lazy.filter(\.isWhole).map(\.id))
    }

    private static func chip(named name: String?) -> String? {
        guard let name, !name.isEmpty else { return TPMChip.addressOnThisMachine }
        return name == "none" ? nil : name
    }

    /// The program's own folder, when sherpa-onnx's library is in it.
    private static var folderBesideProgram: String? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let folder = (program as NSString).deletingLastPathComponent
        return FileManager.default.fileExists(atPath: "\(folder)/libsherpa-onnx-c-api.so") ? folder : nil
    }
}
