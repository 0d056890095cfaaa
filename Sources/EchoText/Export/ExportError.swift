/// Why a recording could not be exported as it was asked for.
package enum ExportError: UserFacingError, Equatable {
    /// The program that makes audiobooks is not on this machine.
    case audiobookProgramMissing
    /// It gave up; `status` is its exit code or 128 and its signal, for the log.
    case audiobookProgramFailed(status: Int32)
    /// An audiobook cannot go into a pipe, since its table is written last and stands first.
    case audiobookNeedsFile
    /// A cover, or chapters, for a format that has no room for them.
    case noRoomForCover
    case coverMissing
    /// Neither JPEG nor PNG.
    case coverNotImage
    case coverTooLarge(limit: Int)
    /// This machine has nothing that keeps the program which opens it from the person's files.
    case coverNotConfined
    case folderNotEmpty
    case folderNotUsable
    /// Nothing was named that could be exported.
    case nothingToExport

    package var code: String {
        switch self {
        case .audiobookProgramMissing: "export.audiobook-program-missing"
        case .audiobookProgramFailed: "export.audiobook-program-failed"
        case .audiobookNeedsFile: "export.audiobook-needs-file"
        case .noRoomForCover: "export.no-room-for-cover"
        case .coverMissing: "export.cover-missing"
        case .coverNotImage: "export.cover-not-image"
        case .coverTooLarge: "export.cover-too-large"
        case .coverNotConfined: "export.cover-not-confined"
        case .folderNotEmpty: "export.folder-not-empty"
        case .folderNotUsable: "export.folder-not-usable"
        case .nothingToExport: "export.nothing-to-export"
        }
    }

    package var message: String {
        switch self {
        case .audiobookProgramMissing: "FFmpeg, which makes audiobooks, is not installed."
        case .audiobookProgramFailed: "FFmpeg could not make the audiobook."
        case .audiobookNeedsFile: "An audiobook can be written to a file only, not to a pipe or a device."
        case .noRoomForCover: "Only audiobooks (m4b, m4a) have room for a cover."
        case .coverMissing: "The cover cannot be read."
        case .coverNotImage: "The cover is neither a JPEG nor a PNG image."
        case .coverTooLarge(let limit): "The cover is larger than \(limit / 1_000_000) MB."
        case .coverNotConfined:
            "The cover is not opened: nothing in this machine's kernel would keep a hostile picture from your files."
        case .folderNotEmpty: "The folder is not empty."
        case .folderNotUsable: "The folder cannot be made or used."
        case .nothingToExport: "There is nothing to export."
        }
    }

    package var suggestion: String? {
        switch self {
        case .audiobookProgramMissing: "Install it with “apt install ffmpeg”, or choose another --format."
        case .audiobookProgramFailed: "Leave the cover out if there is one, or choose another --format."
        case .audiobookNeedsFile: "Give -o the name of a file."
        case .noRoomForCover: "Choose --format m4b, or leave --cover out."
        case .coverMissing: "Check its name, and that you may read it."
        case .coverNotImage: "Save the picture as JPEG or PNG."
        case .coverTooLarge: "Save the picture smaller; 1,400 by 1,400 pixels are enough."
        case .coverNotConfined: "Choose another --format, or take a kernel that has Landlock (5.13 or later)."
        case .folderNotEmpty: "Choose a new folder, so that nothing is mixed up or replaced."
        case .folderNotUsable: "Choose a folder that you may write to."
        case .nothingToExport: "Name a recording; “echotext library list” shows them."
        }
    }
}
