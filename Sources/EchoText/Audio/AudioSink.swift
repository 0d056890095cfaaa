import Foundation

/// A destination for speech while it is synthesized: a sound file, a pipe, a loudspeaker.
///
/// An implementation takes clips in order and may make the caller wait (a full pipe, a busy loudspeaker); this
/// backpressure slows the engine down. It never blocks the shared thread pool.
package protocol AudioSink: Sendable {
    /// Appends `clip`, which has the sample rate the sink was opened with.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when the calling task is cancelled.
    func append(_ clip: AudioClip) async throws

    /// Completes the output: the file is complete and has its final name, or the last sample has been played.
    ///
    /// Call it once, last. After a failure here or in ``append(_:)`` call ``discard()``.
    func finish() async throws

    /// Discards the output and leaves nothing behind. Safe to call at any time, and more than once.
    func discard() async
}

/// Why sound could not be written, read or played.
///
/// Where a case names a file, it is the bare name, never its path.
package enum AudioFileError: UserFacingError, Equatable {
    /// The file name's extension is missing or names none of `formats`; `ending` has no dot and may be empty.
    case unknownFormat(ending: String, formats: [String] = AudioFormat.allCases.map(\.rawValue))
    /// The installed sound-file library was built without this format.
    case codecMissing(AudioFormat)
    /// In hertz.
    case sampleRateUnsupported(Int, AudioFormat)
    case notPermitted(file: String)
    case folderMissing(file: String)
    case isFolder(file: String)
    /// The file is a symbolic link to something that is not there.
    case linkToNothing(file: String, target: String)
    case nameTooLong
    case fileMissing(file: String)
    /// The file's content is not sound in any known format.
    case notSound(file: String)
    /// The sound is longer than `seconds`, the limit of the caller.
    case tooLong(seconds: Double)
    case diskFull
    /// The file reached the maximum of its file system or of the process's limit.
    case fileTooLarge
    /// The program at the other end of the pipe has exited.
    case brokenPipe
    /// Neither a sound server nor a sound card can be reached.
    case noSoundOutput
    /// The sound output that had been opened failed; `status` is its own number, for the log.
    case playbackFailed(status: Int32)
    /// The encoder or decoder gave up; `status` is its own number, for the log.
    case codecFailed(AudioFormat?, status: Int32)
    /// Any other failure of a system call; `errno` is its number.
    case system(errno: Int32)

    package var failure: Failure {
        switch self {
        case .unknownFormat(let ending, let formats) where ending.isEmpty:
            Failure(.invalidRequest, "audio.unknown-format", "The output file's name does not say which format it has.")
                .suggesting("Choose one with --format: \(formats.joined(separator: ", ")).")
        case .unknownFormat(let ending, let formats):
            Failure(.invalidRequest, "audio.unknown-format", "“\(ending)” is not a sound format known here.")
                .suggesting("Choose one with --format: \(formats.joined(separator: ", ")).")
        case .codecMissing(let format):
            Failure(
                .unavailable,
                "audio.codec-missing",
                "The sound-file library of this machine cannot write \(format.displayName)."
            )
            .suggesting(
                "Update the package libsndfile1 to 1.2 or later, or choose another format.",
                inTerminal: "Update the package libsndfile1 to 1.2 or later, or choose another --format."
            )
        case .sampleRateUnsupported(let rate, let format):
            Failure(
                .invalidRequest,
                "audio.sample-rate-unsupported",
                "\(format.displayName) cannot hold sound of \(rate) samples per second."
            )
            .suggesting(
                "Choose another format; WAV and FLAC hold any usual rate.",
                inTerminal: "Choose another --format; wav and flac hold any usual rate."
            )
        case .notPermitted(let file):
            Failure(.cannotCreate, "audio.not-permitted", "You are not allowed to use “\(file)”.")
                .suggesting("Choose a file and folder that you may write to, or change their permissions.")
        case .folderMissing(let file):
            Failure(.cannotCreate, "audio.folder-missing", "The folder that “\(file)” should be in does not exist.")
                .suggesting("Create the folder first, or choose another one.")
        case .isFolder(let file):
            Failure(.cannotCreate, "audio.is-folder", "“\(file)” is a folder.")
                .suggesting("Give the name of a file in it.")
        case .linkToNothing(let file, let target):
            Failure(
                .cannotCreate,
                "audio.link-to-nothing",
                "“\(file)” is a symbolic link to “\(target)”, which is not there."
            )
            .suggesting("Give the file that it should lead to, or take the link away.")
        case .nameTooLong:
            Failure(.cannotCreate, "audio.name-too-long", "The output file's name is too long for this disk.")
                .suggesting("Choose a shorter name.")
        case .fileMissing(let file):
            Failure(.cannotCreate, "audio.file-missing", "There is no file “\(file)”.")
                .suggesting("Check the name.")
        case .notSound(let file):
            Failure(.invalidContent, "audio.not-sound", "“\(file)” is not a sound file that can be read here.")
                .suggesting("Choose a WAV, FLAC, MP3, Opus or Ogg Vorbis file.")
        case .tooLong(let seconds):
            Failure(.invalidContent, "audio.too-long", "The sound is longer than \(Int(seconds.rounded())) seconds.")
                .suggesting("Choose a shorter recording, or cut it into parts.")
        case .diskFull:
            Failure(.inputOutput, "audio.disk-full", "The disk is full.")
                .suggesting(
                    "Make room, or choose another disk; MP3 and Opus files are about a tenth of the size of WAV."
                )
        case .fileTooLarge:
            Failure(.inputOutput, "audio.file-too-large", "The file has become larger than its disk allows.")
                .suggesting(
                    "Choose a format that takes less room, such as MP3 or Opus.",
                    inTerminal: "Choose a smaller --format, such as mp3 or opus, or another disk."
                )
        case .brokenPipe:
            Failure(.inputOutput, "audio.broken-pipe", "The program that was receiving the sound has ended.")
                .suggesting("Keep the receiving program running until all has been spoken.")
        case .noSoundOutput:
            Failure(
                .unavailable,
                "audio.no-sound-output",
                "This machine has no sound output: no sound server answers and there is no sound card."
            )
            .suggesting("Start PulseAudio or PipeWire, or write a file with “speak -o” or “library export -o”.")
        case .playbackFailed:
            Failure(.inputOutput, "audio.playback-failed", "The sound output stopped working.")
                .suggesting("Check the sound settings, or write a file with -o.")
        case .codecFailed(let format, _):
            Failure(.inputOutput, "audio.codec-failed", "The \(format?.displayName ?? "sound") codec failed.")
                .suggesting("Choose another format.", inTerminal: "Choose another --format.")
        case .system(let errno):
            Failure(
                .inputOutput,
                "audio.system",
                "The sound could not be written or read: \(String(cString: strerror(errno)))."
            )
            .suggesting(
                "Make sure that the disk has room, and try again.",
                inTerminal: "Try again, or choose another place."
            )
        }
    }
}

extension AudioFileError {
    /// Chooses the case for a failed system call.
    ///
    /// - Parameters:
    ///   - errno: The error number that the call set.
    ///   - file: The name or path of the file.
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
