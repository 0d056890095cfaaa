/// Why a sound file is not taken into the library.
package enum SoundImportError: UserFacingError, Equatable {
    case empty
    /// The file is of another kind, `found` if known.
    case unknownKind(found: String?)
    case noSound
    case protected
    /// The file has no such sound track, but others.
    case noSuchTrack(Int, of: [SoundTrack])
    /// `seconds` of sound could be read.
    case damaged(seconds: Double)
    /// The longest sound at this file's rate that can be stored, in seconds.
    case tooLong(seconds: Double)
    /// In bytes.
    case tooLarge(limit: Int)
    /// The disk of the library has too little room for the sound.
    case noRoom
    case programMissing
    case notConfined
    case cannotStart
    case decoderDied
    case tooSlow(seconds: Int)

    package var failure: Failure {
        switch self {
        case .empty:
            Failure(.invalidContent, "sound-file.empty", "The file is empty.")
                .suggesting("Choose another one, or copy it again from where it came.")
        case .unknownKind(let found?):
            Failure(.invalidContent, "sound-file.unknown-kind", "This is \(found), not a sound or video file.")
                .suggesting(Self.kinds)
        case .unknownKind(nil):
            Failure(
                .invalidContent,
                "sound-file.unknown-kind",
                "This is not a sound or video file that can be read here."
            )
            .suggesting(Self.kinds)
        case .noSound:
            Failure(.invalidContent, "sound-file.no-sound", "There is no sound in this file.")
                .suggesting("Choose a file that can be heard.")
        case .protected:
            Failure(.invalidContent, "sound-file.protected", "The file is protected against copying.")
                .suggesting("Only the program it was bought for can play it.")
        case .damaged(let seconds) where seconds < 1:
            Failure(.invalidContent, "sound-file.damaged", "The file is damaged, and nothing of it can be read.")
                .suggesting("Copy it again from where it came.")
        case .damaged(let seconds):
            Failure(
                .invalidContent,
                "sound-file.damaged",
                "The file is damaged; \(Self.time(seconds)) of it can be read."
            )
            .suggesting("Copy it again from where it came, or keep the part that can be read, with --keep-part.")
        case .tooLong(let seconds):
            Failure(
                .invalidContent,
                "sound-file.too-long",
                "The sound is longer than \(Self.time(seconds)), the most that one recording holds at its sample rate."
            )
            .suggesting("Cut it into parts, or save it with a lower sample rate, such as 16000 hertz.")
        case .tooLarge(let limit):
            Failure(.tooLarge, "sound-file.too-large", "The file is larger than \(limit / 1_000_000_000) GB.")
                .suggesting("Save its sound alone, without the picture, or cut it into parts.")
        case .noRoom:
            Failure(.inputOutput, "sound-file.no-room", "The disk has too little room for the sound of this file.")
                .suggesting("Make room on the disk, or cut the file into parts.")
        case .programMissing:
            Failure(
                .unavailable,
                "sound-file.program-missing",
                "Files of this kind are read by FFmpeg, which is not installed."
            )
            .suggesting("Install the package ffmpeg, or choose a WAV, FLAC, MP3, Opus or Ogg Vorbis file.")
        case .noSuchTrack(let number, let tracks): Self.failure(without: number, among: tracks)
        default: processFailure
        }
    }

    /// The most tracks that are listed.
    private static let longestList = 16

    private static func failure(without number: Int, among tracks: [SoundTrack]) -> Failure {
        let code = "sound-file.no-such-track"
        guard tracks.count > 1 else {
            return Failure(.invalidRequest, code, "The file has no sound track \(number), but only one.")
                .suggesting("Leave --track out.")
        }
        let list = tracks.prefix(longestList).map { track in
            let remarks = [track.language, track.isUsual ? "the usual one" : nil].compactMap(\.self)
            return "\(track.number)" + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
        }
        let rest = tracks.count > longestList ? " and so on" : ""
        return Failure(.invalidRequest, code, "The file has no sound track \(number), but \(tracks.count) others.")
            .suggesting("Choose one of these with --track: \(list.joined(separator: ", "))\(rest).")
    }

    private var processFailure: Failure {
        switch self {
        case .notConfined:
            Failure(
                .unavailable,
                "sound-file.not-confined",
                "Sound files are not opened, because this machine lets nothing shut their decoder in."
            )
            .suggesting("Install the package bubblewrap, or use a kernel with Landlock.")
        case .cannotStart:
            Failure(.processFailed, "sound-file.cannot-start", "The process that reads sound files does not start.")
                .suggesting("Try again when the machine has more memory to spare.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "sound-file.too-slow", "Reading the file made no progress for \(seconds) seconds.")
                .suggesting("Try again; if that does not help, the file is damaged.")
        default:
            Failure(.processFailed, "sound-file.decoder-died", "Reading the file ended unexpectedly.")
                .suggesting("The file may be damaged. Copy it again from where it came.")
        }
    }

    private static let kinds = "Choose a WAV, FLAC, MP3, Ogg, Opus, M4A, MP4, WebM or MKV file, or the like."

    /// “12 seconds”, “4:05 minutes” or “1:02:03 hours”.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.down))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        switch whole {
        case 1: return "1 second"
        case ..<60: return "\(whole) seconds"
        case ..<3_600: return "\(whole / 60):\(two(whole % 60)) minutes"
        default: return "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60)) hours"
        }
    }
}
