/// Why a voice was not installed, or is not there any more.
///
/// `name` and `file` are names inside an archive or a bare file name, shortened and without control characters; never a path
/// of this machine.
package enum VoiceInstallError: UserFacingError, Equatable, Codable {
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
    /// The unpacked content is larger than that of any voice.
    case bomb
    case tooSlow(seconds: Int)
    /// The process that unpacked it ended over it.
    case unpackerDied
    case cannotStartUnpacker
    /// This machine has nothing that keeps an unpacker from the person's files.
    case notConfined
    /// The voice loads, but its speech is silent.
    case silent
    /// The model and its description do not agree.
    case inconsistent(file: String)
    case nothingToAdd
    case notInstalled(Voice.ID)
    case altered(Voice.ID, file: String)
    /// The voice was installed, and its files are gone.
    case gone(Voice.ID, isInCatalogue: Bool)
    case builtIn(Voice.ID)
    case cannotWrite
    /// Sizes in bytes.
    case noSpace(needed: Int64, free: Int64)

    package var code: String {
        switch self {
        case .forbidden: "voice.forbidden-entry"
        case .damagedArchive: "voice.damaged-archive"
        case .notAnArchive: "voice.not-an-archive"
        case .tooManyFiles: "voice.too-many-files"
        case .tooMuchInside: "voice.too-much-inside"
        case .bomb: "voice.bomb"
        case .tooSlow: "voice.unpacking-too-slow"
        case .unpackerDied: "voice.unpacker-died"
        case .cannotStartUnpacker: "voice.cannot-start-unpacker"
        case .notConfined: "voice.not-confined"
        case .silent: "voice.silent"
        case .inconsistent: "voice.inconsistent"
        case .nothingToAdd: "voice.nothing-to-add"
        case .notInstalled: "voice.not-installed-here"
        case .altered: "voice.altered"
        case .gone: "voice.gone"
        case .builtIn: "voice.built-in"
        case .cannotWrite: "voice.cannot-write"
        case .noSpace: "voice.no-space"
        }
    }

    package var message: String {
        switch self {
        case .forbidden(let what, let name): "The archive was refused: “\(name)” is \(what.inWords)."
        case .damagedArchive: "The archive is damaged or cut short."
        case .notAnArchive: "The file is no archive of a voice."
        case .tooManyFiles(let limit): "The archive was refused: it holds more than \(limit) files."
        case .tooMuchInside(let limit): "The archive was refused: it holds more than \(limit.inMegabytes)."
        case .bomb: "The archive was refused: it holds far more than its size suggests."
        case .tooSlow(let seconds): "The archive could not be unpacked within \(seconds) seconds."
        case .unpackerDied: "The process that unpacked the archive ended unexpectedly."
        case .cannotStartUnpacker: "The process that unpacks archives cannot be started."
        case .notConfined:
            "Archives are not opened: nothing on this machine would keep a hostile one from your files and the network."
        case .silent: "The voice loads, but says nothing that can be heard."
        case .inconsistent(let file): "The voice's file “\(file)” does not fit its model."
        case .nothingToAdd: "There is no folder, archive or .onnx file of a voice there."
        case .notInstalled(let id): "The voice “\(id)” is not installed."
        case .altered(let id, let file): "The voice “\(id)” is not as it was installed: “\(file)” has changed."
        case .gone(let id, _): "The files of the voice “\(id)” are not there any more."
        case .builtIn(let id): "The voice “\(id)” is built in and cannot be taken away."
        case .cannotWrite: "The folder of the voices cannot be written to."
        case .noSpace(let needed, let free):
            "There is not enough room: \(needed.inMegabytes) are needed and \(free.inMegabytes) are free."
        }
    }

    package var suggestion: String? {
        switch self {
        case .forbidden, .tooManyFiles, .tooMuchInside, .bomb:
            "Nothing of it was kept. Take the voice from another place."
        case .damagedArchive, .notAnArchive: "Get it once more from where it came from."
        case .tooSlow, .unpackerDied: "Try again; if it ends so again, the archive is at fault."
        case .cannotStartUnpacker: "Install EchoText again."
        case .notConfined:
            "Install bubblewrap (apt-get install bubblewrap) or a kernel with Landlock. ECHOTEXT_UNCONFINED=1 opens them all the same: a hostile archive can then read, send and change what you can, an unlocked library too."
        case .silent, .inconsistent: "Choose another voice, or tell its maker."
        case .nothingToAdd: "Give a voice's folder, a .tar.bz2 archive, or a .onnx file with its .onnx.json beside it."
        case .notInstalled: "“echotext voices” lists what is installed."
        case .altered: "Download it, or add it, again."
        case .gone(_, isInCatalogue: true): "Download it again, or choose another voice."
        case .gone: "Add it again, or choose another voice."
        case .builtIn: nil
        case .cannotWrite: "See that the folder is yours and that its disk can be written to."
        case .noSpace: "Free some room, or delete voices you do not use."
        }
    }
}

extension VoiceInstallError.Forbidden {
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
