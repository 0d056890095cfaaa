/// A neural voice that is installed.
package struct InstalledVoice: Sendable, Hashable, Codable {
    package let voice: Voice
    /// The name of its folder in the folder of the voices, never a path.
    package let folder: String
    package let quality: VoiceQuality?
    /// How many bytes its files have.
    package let bytes: Int64
    /// What its `MODEL_CARD` says of how it may be used; `nil` without one.
    package let licence: VoiceLicence?
    /// How it came; `nil` for a folder that the person has put there.
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

/// On what terms a voice may be used, as far as its maker says.
package struct VoiceLicence: Sendable, Hashable, Codable {
    /// In the maker's words, shortened: `CC BY 4.0`, `public domain`.
    package let name: String
    /// Whether it allows what earns money; `nil` when the words do not tell.
    package let isCommercial: Bool?

    package init(name: String, isCommercial: Bool?) {
        self.name = name
        self.isCommercial = isCommercial
    }
}

/// How a voice came onto this machine; lies in its folder.
package struct VoiceReceipt: Sendable, Hashable, Codable {
    /// What of the catalogue it was; `nil` for one that the person added.
    package let entry: CatalogueEntry.ID?
    package let url: String?
    package let archiveBytes: Int64?
    package let sha256: String?
    /// Seconds since 1970.
    package let installedAt: Double
    /// Size in bytes by file name, so that what is missing or was altered can be told.
    package var files: [String: Int64]
    /// How the model is run, and by which rules that was found out; `nil` when it was not.
    private var layout: String?
    private var layoutRules: Int?

    /// Raised when models are taken apart in another way, so that it is found out anew.
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

    /// How the model is run, unless that was found out by rules of an earlier version.
    package var currentLayout: ModelLayout? {
        get { layoutRules == Self.currentRules ? layout.flatMap(ModelLayout.init(rawValue:)) : nil }
        set { (layout, layoutRules) = (newValue?.rawValue, newValue == nil ? nil : Self.currentRules) }
    }
}

/// What is being done with an archive that is here.
package enum InstallPhase: Sendable, Hashable {
    case extracting
    case validating
}

/// Makes voices of archives, folders and models, and takes them away again.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - a voice is there as a whole or not at all, whenever the program ends;
/// - what it has installed is listed, and is not any more once it was removed.
package protocol VoiceInstaller: Sendable {
    /// All that is there, whole or not.
    func stock() async throws -> VoiceStock

    /// Unpacks an archive, tries the voice, and puts it in its place; the archive is removed when that worked or it is of no use.
    ///
    /// A voice that was there is replaced at once, in one step.
    ///
    /// - Throws: ``VoiceInstallError``, ``VoiceFolderError``, ``WorkerError``, or `CancellationError`.
    func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice

    /// Adds a voice from the person's own folder, archive or `.onnx` file with its `.onnx.json`; what is given stays as it is.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - name: What it is called when it comes of a file whose own name says nothing, such as an upload; `nil` for that of `path`.
    ///   - report: Told what is being done.
    /// - Returns: The voice, in its place.
    /// - Throws: As ``install(_:of:report:)``.
    func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice

    /// Writes down how the model of an installed voice is run; where that cannot be written, it is found out again the next time.
    func note(_ layout: ModelLayout, of folder: VoiceFolder) async

    /// Takes away a voice, or what is left of one.
    ///
    /// - Throws: ``VoiceInstallError/notInstalled(_:)``, ``VoiceInstallError/builtIn(_:)``.
    func remove(_ id: Voice.ID) async throws

    /// Takes away what an installation that did not end has left.
    ///
    /// - Returns: How many such remains there were.
    @discardableResult
    func sweep() async throws -> Int
}
