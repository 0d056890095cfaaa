package import Foundation

/// A neural voice that is installed.
package struct InstalledVoice: Sendable, Hashable, Codable {
    package let voice: Voice
    /// The name of its folder in the folder of the voices, never a path.
    package let folder: String
    package let quality: VoiceQuality?
    /// The size of its files, in bytes.
    package let bytes: Int64
    /// The terms of use in its `MODEL_CARD`; `nil` without one.
    package let licence: VoiceLicence?
    /// How it was installed; `nil` for a folder that the person has put there.
    package let receipt: VoiceReceipt?

    package init(
        voice: Voice,
        folder: String,
        quality: VoiceQuality?,
        bytes: Int64,
        licence: VoiceLicence?,
        receipt: VoiceReceipt?
    ) {
        self.voice = voice
        self.folder = folder
        self.quality = quality
        self.bytes = bytes
        self.licence = licence
        self.receipt = receipt
    }
}

/// The terms on which a voice may be used, as stated by its maker.
package struct VoiceLicence: Sendable, Hashable, Codable {
    /// In the publisher's words, shortened: `CC BY 4.0`, `public domain`.
    package let name: String
    /// Whether commercial use is allowed; `nil` when the words do not say.
    package let isCommercial: Bool?

    package init(name: String, isCommercial: Bool?) {
        self.name = name
        self.isCommercial = isCommercial
    }
}

/// How a voice was installed; stored in its folder.
package struct VoiceReceipt: Sendable, Hashable, Codable {
    /// Its entry in the catalogue; `nil` for a voice that the person added.
    package let entry: CatalogueEntry.ID?
    package let url: String?
    package let archiveBytes: Int64?
    package let sha256: String?
    /// Seconds since 1970.
    package let installedAt: Double
    /// Size in bytes by file name, so that missing and altered files can be recognised.
    package var files: [String: Int64]
    /// How the model is run, and the version of the rules that found it out; `nil` when it is unknown.
    private var layout: String?
    private var layoutRules: Int?

    /// Raised when the analysis of models changes, so that it is done again.
    private static let currentRules = 2

    package init(
        entry: CatalogueEntry.ID?,
        url: String?,
        archiveBytes: Int64?,
        sha256: String?,
        installedAt: Double,
        files: [String: Int64]
    ) {
        self.entry = entry
        self.url = url
        self.archiveBytes = archiveBytes
        self.sha256 = sha256
        self.installedAt = installedAt
        self.files = files
    }

    /// When it was installed, within the times that can be shown.
    package var installed: Date { Date(timeIntervalSince1970: min(max(0, installedAt), 1e10)) }

    /// How the model is run; `nil` when rules of an earlier version found it out.
    package var currentLayout: ModelLayout? {
        get { layoutRules == Self.currentRules ? layout.flatMap(ModelLayout.init(rawValue:)) : nil }
        set { (layout, layoutRules) = (newValue?.rawValue, newValue == nil ? nil : Self.currentRules) }
    }
}

/// A step of the installation of an archive.
package enum InstallPhase: Sendable, Hashable {
    case extracting
    case validating
}

/// Installs voices from archives, folders and models, and removes them: the port to the voices folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - a voice is installed completely or not at all, even if the program ends at any point;
/// - a voice is listed after its installation, and no longer after its removal.
///
/// ```swift
/// let voice = try await installer.add(path, named: nil) { phase in await show(phase) }
/// ```
package protocol VoiceInstaller: Sendable {
    /// All voices in the folder, complete or not.
    func installedVoices() async throws -> InstalledVoices

    /// Unpacks an archive, tries the voice and installs it; removes the archive if that succeeded or the archive is
    /// useless.
    ///
    /// An installed voice with the same id is replaced atomically.
    ///
    /// - Throws: ``VoiceInstallError``, ``VoiceFolderError``, ``WorkerError``, or `CancellationError`.
    func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice

    /// Installs a voice from a person's folder, archive or `.onnx` file with its `.onnx.json`, which stay unchanged.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - name: The original name of a file whose path has another, such as an upload; `nil` for the name in `path`.
    ///   - report: Called at the beginning of each phase.
    /// - Returns: The installed voice.
    /// - Throws: As ``install(_:of:report:)``.
    func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice

    /// Stores how the model of an installed voice is run; a failure to write is ignored, since it can be found out again.
    func note(_ layout: ModelLayout, of folder: VoiceFolder) async

    /// Removes a voice, or the remaining files of one.
    ///
    /// - Throws: ``VoiceInstallError/notInstalled(_:)``, ``VoiceInstallError/builtIn(_:)``.
    func remove(_ id: Voice.ID) async throws

    /// Removes the remains of interrupted installations.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func sweep() async throws -> Int
}

/// Stores an uploaded file until it is installed, next to the voices, and removes it afterwards.
package protocol VoiceInbox: Sendable {
    /// Stores a file, and passes it to `work`.
    ///
    /// - Parameters:
    ///   - name: The file's name; characters that are unsafe in a file name are removed.
    ///   - fill: Returns the file's content piece by piece.
    ///   - work: Receives the absolute path of the file.
    /// - Returns: What `work` returned.
    /// - Throws: ``VoiceInstallError/cannotWrite``, ``VoiceInstallError/noSpace(needed:free:)``, and what `fill` and
    ///   `work` throw.
    func hold<Output: Sendable>(
        named name: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void,
        _ work: (_ path: String) async throws -> Output
    ) async throws -> Output
}

/// Examines a voice's files: the port to the engine that runs them.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that both methods describe the same voice, and that a voice that
/// cannot speak is rejected.
package protocol VoiceExaminer: Sendable {
    /// Reads the voice from the files in the folder at `path`, without opening the model.
    ///
    /// - Throws: ``VoiceFolderError``.
    func voice(at path: String) throws -> Voice

    /// Opens the voice and has it say a word, where it can harm nobody.
    ///
    /// - Throws: ``VoiceFolderError``, ``VoiceInstallError/silent``, ``VoiceInstallError/inconsistent(file:)``,
    ///   ``SynthesisError``, ``WorkerError``, ``EngineError`` or `CancellationError`.
    func examine(_ path: String) async throws -> ExaminedVoice
}

/// A voice that has said a word.
package struct ExaminedVoice: Sendable, Hashable {
    package let voice: Voice
    /// How its model is run.
    package let layout: ModelLayout

    package init(voice: Voice, layout: ModelLayout) {
        self.voice = voice
        self.layout = layout
    }
}
