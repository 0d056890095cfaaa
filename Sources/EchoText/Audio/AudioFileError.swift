import Foundation

/// Why sound could not be written, read or played.
///
/// Where a case names a file, it is the bare name, never its path.
package enum AudioFileError: UserFacingError, Equatable {
    /// The name ends in nothing, or in nothing that is a sound format; `ending` has no dot and may be empty.
    case unknownFormat(ending: String)
    /// The installed sound-file library was built without this format.
    case codecMissing(AudioFormat)
    /// In hertz.
    case sampleRateUnsupported(Int, AudioFormat)
    case notPermitted(file: String)
    case folderMissing(file: String)
    case isFolder(file: String)
    case nameTooLong
    case fileMissing(file: String)
    /// What is in the file is not sound in any format known here.
    case notSound(file: String)
    /// The sound is longer than `seconds`, the limit of the caller.
    case tooLong(seconds: Double)
    case diskFull
    /// The file has grown past what its file system, or the limit set on this process, allows.
    case fileTooLarge
    /// The program that reads the other end of the pipe has ended.
    case brokenPipe
    /// Neither a sound server nor a sound card can be reached.
    case noSoundOutput
    /// The sound output that had been opened failed; `status` is its own number, for the log.
    case playbackFailed(status: Int32)
    /// The encoder or decoder gave up; `status` is its own number, for the log.
    case codecFailed(AudioFormat?, status: Int32)
    /// Any other failure that the system reports; `errno` is its number.
    case system(errno: Int32)

    package var code: String {
        switch self {
        case .unknownFormat: "audio.unknown-format"
        case .codecMissing: "audio.codec-missing"
        case .sampleRateUnsupported: "audio.sample-rate-unsupported"
        case .notPermitted: "audio.not-permitted"
        case .folderMissing: "audio.folder-missing"
        case .isFolder: "audio.is-folder"
        case .nameTooLong: "audio.name-too-long"
        case .fileMissing: "audio.file-missing"
        case .notSound: "audio.not-sound"
        case .tooLong: "audio.too-long"
        case .diskFull: "audio.disk-full"
        case .fileTooLarge: "audio.file-too-large"
        case .brokenPipe: "audio.broken-pipe"
        case .noSoundOutput: "audio.no-sound-output"
        case .playbackFailed: "audio.playback-failed"
        case .codecFailed: "audio.codec-failed"
        case .system: "audio.system"
        }
    }

    package var message: String {
        switch self {
        case .unknownFormat(let ending) where ending.isEmpty: "The output file's name does not say which format it has."
        case .unknownFormat(let ending): "“\(ending)” is not a sound format known here."
        case .codecMissing(let format): "The sound-file library of this machine cannot write \(format.displayName)."
        case .sampleRateUnsupported(let rate, let format):
            "\(format.displayName) cannot hold sound of \(rate) samples per second."
        case .notPermitted(let file): "You are not allowed to use “\(file)”."
        case .folderMissing(let file): "The folder that “\(file)” should be in does not exist."
        case .isFolder(let file): "“\(file)” is a folder."
        case .nameTooLong: "The output file's name is too long for this disk."
        case .fileMissing(let file): "There is no file “\(file)”."
        case .notSound(let file): "“\(file)” is not a sound file that can be read here."
        case .tooLong(let seconds): "The sound is longer than \(Int(seconds.rounded())) seconds."
        case .diskFull: "The disk is full."
        case .fileTooLarge: "The file has become larger than its disk allows."
        case .brokenPipe: "The program that was receiving the sound has ended."
        case .noSoundOutput: "This machine has no sound output: no sound server answers and there is no sound card."
        case .playbackFailed: "The sound output stopped working."
        case .codecFailed(let format, _): "The \(format?.displayName ?? "sound") codec failed."
        case .system(let errno): "The sound could not be written or read: \(String(cString: strerror(errno)))."
        }
    }

    package var suggestion: String? {
        switch self {
        case .unknownFormat: "Choose one with --format: \(Self.formatNames)."
        case .codecMissing: "Update the package libsndfile1 to 1.2 or later, or choose another --format."
        case .sampleRateUnsupported: "Choose another --format; wav and flac hold any usual rate."
        case .notPermitted: "Choose a file and folder that you may write to, or change their permissions."
        case .folderMissing: "Create the folder first, or choose another one."
        case .isFolder: "Give the name of a file in it."
        case .nameTooLong: "Choose a shorter name."
        case .fileMissing: "Check the name."
        case .notSound: "Choose a WAV, FLAC, MP3, Opus or Ogg Vorbis file."
        case .tooLong: "Choose a shorter recording, or cut it into parts."
        case .diskFull: "Make room, or choose another disk; mp3 and opus files are about a tenth of the size of wav."
        case .fileTooLarge: "Choose a smaller --format, such as mp3 or opus, or another disk."
        case .brokenPipe: "Keep the receiving program running until all has been spoken."
        case .noSoundOutput: "Start PulseAudio or PipeWire, or write a file with “speak -o” or “library export -o”."
        case .playbackFailed: "Check the sound settings, or write a file with -o."
        case .codecFailed: "Choose another --format."
        case .system: "Try again, or choose another place."
        }
    }

    private static var formatNames: String {
        AudioFormat.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension AudioFileError {
    /// The case for a system call that failed.
    ///
    /// - Parameters:
    ///   - errno: The number the call left behind.
    ///   - file: The name, or the path, of the file it was about.
    package init(errno: Int32, file: String) {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        self =
            switch errno {
            case EACCES, EPERM, EROFS, ETXTBSY: .notPermitted(file: name)
            case ENOENT, ENOTDIR: .folderMissing(file: name)
            case EISDIR: .isFolder(file: name)
            case ENAMETOOLONG: .nameTooLong
            case ENOSPC, EDQUOT: .diskFull
            case EFBIG: .fileTooLarge
            case EPIPE, ECONNRESET: .brokenPipe
            default: .system(errno: errno)
            }
    }
}
