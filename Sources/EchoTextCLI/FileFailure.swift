import EchoText
import Foundation

/// An error together with the file that it is about, for the person who named the file.
///
/// The message itself names no file, since messages end up in logs as well.
struct FileFailure: UserFacingError {
    /// As the person wrote it.
    let path: String
    let cause: any UserFacingError

    var failure: Failure { cause.failure }

    /// The file's name, safe to print in a line.
    var fileName: String { Answer.harmless((path as NSString).lastPathComponent, isLine: true) }

    /// Returns `error` with the file that it is about; what is no fault of a file, such as an interruption, comes back as it is.
    static func naming(_ path: String, _ error: any Error) -> any Error {
        guard let cause = error as? any UserFacingError, !(cause is VaultError), !(cause is FileFailure) else {
            return error
        }
        return FileFailure(path: path, cause: cause)
    }
}
