/// Why a recording could not be exported as it was asked for.
package enum ExportError: UserFacingError, Equatable {
    /// The program that makes audiobooks is not on this machine.
    case audiobookProgramMissing
    /// It gave up; `status` is its exit code or 128 and its signal, for the log.
    case audiobookProgramFailed(status: Int32)
    /// An audiobook cannot be written to a pipe, since its table is written last but placed first.
    case audiobookNeedsFile
    /// A cover, or chapters, for a format that has no room for them.
    case noRoomForCover
    case coverMissing
    /// Neither JPEG nor PNG.
    case coverNotImage
    case coverTooLarge(limit: Int)
    /// This machine has no sandbox that keeps the program that decodes the cover away from the person's files.
    case coverNotConfined
    case folderNotEmpty
    case folderNotUsable
    /// No recording was named.
    case nothingToExport
    /// The joined recordings would be too large to hold in memory while the file is made.
    case joinedTooLarge
    /// A download that was never ordered, was fetched before, or is over.
    case orderOver
    /// A download that its receiver stopped reading.
    case downloadUnread

    package var failure: Failure {
        switch self {
        case .audiobookProgramMissing:
            Failure(
                .unavailable,
                "export.audiobook-program-missing",
                "FFmpeg, which makes audiobooks, is not installed."
            )
            .suggesting("Install it with “apt install ffmpeg”, or choose another --format.")
        case .audiobookProgramFailed:
            Failure(.invalidContent, "export.audiobook-program-failed", "FFmpeg could not make the audiobook.")
                .suggesting("Leave the cover out if there is one, or choose another --format.")
        case .audiobookNeedsFile:
            Failure(
                .invalidRequest,
                "export.audiobook-needs-file",
                "An audiobook can be written to a file only, not to a pipe or a device."
            )
            .suggesting("Give -o the name of a file.")
        case .noRoomForCover:
            Failure(.invalidRequest, "export.no-room-for-cover", "Only audiobooks (m4b, m4a) have room for a cover.")
                .suggesting("Choose --format m4b, or leave --cover out.")
        case .coverMissing:
            Failure(.missingInput, "export.cover-missing", "The cover cannot be read.")
                .suggesting("Check its name, and that you may read it.")
        case .coverNotImage:
            Failure(.invalidContent, "export.cover-not-image", "The cover is neither a JPEG nor a PNG image.")
                .suggesting("Save the picture as JPEG or PNG.")
        case .coverTooLarge(let limit):
            Failure(.invalidContent, "export.cover-too-large", "The cover is larger than \(limit / 1_000_000) MB.")
                .suggesting("Save the picture smaller; 1,400 by 1,400 pixels are enough.")
        case .coverNotConfined:
            Failure(
                .unavailable,
                "export.cover-not-confined",
                "The cover is not opened: nothing in this machine's kernel would keep a hostile picture from your files."
            )
            .suggesting("Choose another --format, or take a kernel that has Landlock (5.13 or later).")
        case .folderNotEmpty:
            Failure(.cannotCreate, "export.folder-not-empty", "The folder is not empty.")
                .suggesting("Choose a new folder, so that nothing is mixed up or replaced.")
        case .folderNotUsable:
            Failure(.cannotCreate, "export.folder-not-usable", "The folder cannot be made or used.")
                .suggesting("Choose a folder that you may write to.")
        case .nothingToExport:
            Failure(.missingInput, "export.nothing-to-export", "There is nothing to export.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        case .joinedTooLarge:
            Failure(.tooLarge, "export.joined-too-large", "The recordings are too long to be joined into one file.")
                .suggesting("Join fewer of them into each of several files, or choose mp3 or m4b.")
        case .orderOver:
            Failure(.notFound, "export.order-over", "The download has been fetched before, or is over.")
                .suggesting("Order it again.")
        case .downloadUnread:
            Failure(.interrupted, "export.download-unread", "Nothing of the download was taken for a minute.")
                .suggesting("Order it again, and do not pause it.")
        }
    }
}
