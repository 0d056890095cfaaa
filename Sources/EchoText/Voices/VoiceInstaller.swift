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
    /// An installed voice of the same entry is replaced atomically.
    ///
    /// - Throws: ``ModelInstallError``, ``VoiceFolderError``, ``WorkerError``, or `CancellationError`.
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
    /// - Throws: As ``install(_:of:report:)``; ``ModelInstallError/nameTaken(_:)`` where another voice has its name.
    func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice

    /// Stores how the model of an installed voice is run; a failure to write is ignored, since it can be found out again.
    func note(_ layout: ModelLayout, of folder: VoiceFolder) async

    /// Removes a voice, or the remaining files of one.
    ///
    /// - Throws: ``ModelInstallError/notInstalled(_:)``, ``ModelInstallError/builtIn(_:)``.
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
    /// - Throws: ``ModelInstallError/cannotWrite``, ``ModelInstallError/noSpace(needed:free:)``, and what `fill` and
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
    /// - Throws: ``VoiceFolderError``, ``ModelInstallError/silent``, ``ModelInstallError/inconsistent(file:)``,
    ///   ``SynthesisError``, ``WorkerError``, ``EngineLibraryError`` or `CancellationError`.
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

/// Why a voice or a recognizer was not installed, or a voice is not there any more.
///
/// `name` and `file` are names inside an archive or a bare file name, shortened and without control characters; never a path
/// of this machine.
package enum ModelInstallError: UserFacingError, Equatable, Codable {
    /// Content that an archive may not have.
    package enum Forbidden: String, Sendable, Hashable, Codable, CaseIterable {
        case absolutePath
        case parentPath
        case symbolicLink
        case hardLink
        case device
        case pipe
        case socket
        case setUserID
        case badName
        case tooDeep
        case twice
    }

    case forbidden(Forbidden, name: String)
    case damagedArchive
    case notAnArchive
    case tooManyFiles(limit: Int)
    case tooMuchInside(limit: Int64)
    /// The unpacked content is larger than that of any voice or recognizer.
    case bomb
    case tooSlow(seconds: Int)
    /// The process that unpacked it ended over it.
    case unpackerDied
    case cannotStartUnpacker
    /// This machine has no sandbox that keeps an unpacker away from the person's files.
    case notConfined
    /// The voice loads, but its speech is silent.
    case silent
    /// The model and its description do not agree.
    case inconsistent(file: String)
    case nothingToAdd
    case notInstalled(Voice.ID)
    case altered(Voice.ID, file: String)
    /// The voice was installed, and its files are missing.
    case gone(Voice.ID, isInCatalogue: Bool)
    case builtIn(Voice.ID)
    /// Another voice or recognizer is in the folder of that name, and would be gone.
    case nameTaken(String)
    /// Several voices or recognizers are there, of which only one could be added; the names of their files or folders.
    case several([String])
    case cannotWrite
    /// Sizes in bytes.
    case noSpace(needed: Int64, free: Int64)

    package var failure: Failure {
        switch self {
        case .forbidden(let what, let name):
            Failure(.invalidContent, "voice.forbidden-entry", "The archive was refused: “\(name)” is \(what.inWords).")
                .suggesting(Self.elsewhere)
        case .damagedArchive:
            Failure(.invalidContent, "voice.damaged-archive", "The archive is damaged or cut short.")
                .suggesting(Self.onceMore)
        case .notAnArchive:
            Failure(.invalidContent, "voice.not-an-archive", "The file is not an archive of a voice or a recogniser.")
                .suggesting(
                    "Choose a .tar.bz2 file. A voice or recogniser without an archive is added by a command such as “echotext voices add”.",
                    inTerminal: Self.onceMore
                )
        case .tooManyFiles(let limit):
            Failure(
                .invalidContent,
                "voice.too-many-files",
                "The archive was refused: it holds more than \(limit.grouped) files."
            )
            .suggesting(Self.elsewhere)
        case .tooMuchInside(let limit):
            Failure(
                .invalidContent,
                "voice.too-much-inside",
                "The archive was refused: it holds more than \(limit.inMegabytes)."
            )
            .suggesting(Self.elsewhere)
        case .bomb:
            Failure(.invalidContent, "voice.bomb", "The archive was refused: it holds far more than its size suggests.")
                .suggesting(Self.elsewhere)
        case .tooSlow(let seconds):
            Failure(
                .invalidContent,
                "voice.unpacking-too-slow",
                "The archive could not be unpacked within \(seconds) seconds."
            )
            .suggesting(Self.again)
        case .unpackerDied:
            Failure(.invalidContent, "voice.unpacker-died", "The process that unpacked the archive ended unexpectedly.")
                .suggesting(Self.again)
        case .cannotStartUnpacker:
            Failure(
                .processFailed,
                "voice.cannot-start-unpacker",
                "The process that unpacks archives cannot be started."
            )
            .suggesting("Install EchoText again.")
        case .notConfined:
            Failure(
                .unavailable,
                "voice.not-confined",
                "Archives are not opened: nothing on this machine would keep a hostile one from your files and the network."
            )
            .suggesting(
                "Install bubblewrap (apt-get install bubblewrap) or a kernel with Landlock. ECHOTEXT_UNCONFINED=1 opens them all the same: a hostile archive can then read, send and change what you can, an unlocked library too."
            )
        case .silent:
            Failure(.invalidContent, "voice.silent", "The voice loads, but says nothing that can be heard.")
                .suggesting(Self.another)
        case .inconsistent(let file):
            Failure(.invalidContent, "voice.inconsistent", "The voice's file “\(file)” does not fit its model.")
                .suggesting(Self.another)
        case .nothingToAdd:
            Failure(
                .missingInput,
                "voice.nothing-to-add",
                "There is no folder, archive or .onnx file of a voice there."
            )
            .suggesting(
                "Choose a voice's .tar.bz2 archive.",
                inTerminal: "Give a voice's folder, a .tar.bz2 archive, or a .onnx file with its .onnx.json beside it."
            )
        case .notInstalled(let id):
            Failure(.voiceNotFound, "voice.not-installed-here", "The voice “\(id)” is not installed.")
                .suggesting("Choose another one.", inTerminal: "“echotext voices” lists what is installed.")
        case .altered(let id, let file):
            Failure(
                .unavailable,
                "voice.altered",
                "The voice “\(id)” is not as it was installed: “\(file)” has changed."
            )
            .suggesting("Download it, or add it, again.")
        case .gone(let id, let isInCatalogue):
            Failure(.voiceNotFound, "voice.gone", "The files of the voice “\(id)” are not there any more.")
                .suggesting("\(isInCatalogue ? "Download" : "Add") it again, or choose another voice.")
        case .builtIn(let id):
            Failure(.conflict, "voice.built-in", "The voice “\(id)” is built in and cannot be removed.")
        case .nameTaken(let name):
            Failure(
                .conflict,
                "voice.name-taken",
                "Another voice or recogniser is installed as “\(name)”, and would be gone."
            )
            .suggesting("Delete that one first, or give the new one's files another name.")
        case .several(let names):
            Failure(
                .invalidContent,
                "voice.several",
                "There are several voices or recognisers in it (\(names.prefix(5).joined(separator: ", "))), and one is "
                    + "added at a time."
            )
            .suggesting(
                "Pack each into an archive of its own.",
                inTerminal: "Give the folder, or the .onnx file, of each by itself."
            )
        case .cannotWrite:
            Failure(
                .cannotCreate,
                "voice.cannot-write",
                "The folder of the voices or that of the recognisers cannot be written to."
            )
            .suggesting("See that the folder is yours and that its disk can be written to.")
        case .noSpace(let needed, let free):
            Failure(
                .inputOutput,
                "voice.no-space",
                "There is not enough room: \(needed.inMegabytes) are needed and \(free.inMegabytes) are free."
            )
            .suggesting("Free some room, or delete voices or recognisers you do not use.")
        }
    }

    private static let elsewhere = "It was not kept. Get it from another source."
    private static let onceMore = "Get it once more from where it came from."
    private static let again = "Try again; if that happens again, the archive is at fault."
    private static let another = "Choose another voice, or inform its maker."
}

extension ModelInstallError.Forbidden {
    fileprivate var inWords: String {
        switch self {
        case .absolutePath: "a path from the root of the disk"
        case .parentPath: "a path that leads out of its folder"
        case .symbolicLink: "a symbolic link"
        case .hardLink: "a hard link"
        case .device: "a device"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .setUserID: "a file that would run as another user"
        case .badName: "no name for a file"
        case .tooDeep: "too deep in folders"
        case .twice: "there twice"
        }
    }
}
