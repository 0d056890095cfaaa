/// What a person is to know of a file whose sound was taken: something of it is not as it seems.
package enum SoundImportNotice: Sendable, Hashable {
    /// Only a part could be read.
    case damaged
    /// What the file says of its length, and what was found in it and taken, in seconds.
    case lengthDiffers(stated: Double, kept: Double)
    /// The file holds more sound than could be read; `kept` is in seconds.
    case incomplete(kept: Double)
    /// The file has several sound tracks; `taken` counts from 1.
    case tracks(count: Int, taken: Int)
    /// The file itself was not kept beside its sound, because it has more than so many bytes.
    case fileTooLarge(limit: Int)
    /// The file itself was not kept beside its sound, because the disk has too little room.
    case noRoomForFile

    package var code: String {
        switch self {
        case .damaged: "sound-file.part-kept"
        case .lengthDiffers: "sound-file.length-differs"
        case .incomplete: "sound-file.incomplete"
        case .tracks: "sound-file.tracks"
        case .fileTooLarge: "sound-file.file-too-large"
        case .noRoomForFile: "sound-file.no-room-for-file"
        }
    }

    package var message: String {
        switch self {
        case .damaged: "The file is damaged; only the part that could be read was kept."
        case .lengthDiffers(let stated, let kept):
            "The file says that it holds \(Self.time(stated)) of sound; the \(Self.time(kept)) that are in it were taken."
        case .incomplete(let kept):
            "The file holds more sound than could be read; \(Self.time(kept)) of it were taken."
        case .tracks(let count, let taken):
            "The file has \(count) sound tracks; track \(taken) was taken."
        case .fileTooLarge(let limit):
            "The sound was taken; the file itself was not kept, because it is larger than \(limit / 1_000_000) MB."
        case .noRoomForFile:
            "The sound was taken; the file itself was not kept, because the disk has too little room."
        }
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 60 ? "\((seconds * 10).rounded() / 10) seconds" : SoundImportError.time(seconds)
    }
}
