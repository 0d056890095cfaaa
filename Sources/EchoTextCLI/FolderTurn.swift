import FileSystem
import Foundation

/// The turn to choose names in a folder and to write files there, which ends with its last copy.
struct FolderTurn {
    /// Locked; `nil` where the folder cannot be locked.
    private let folder: LockableFile?

    /// Waits for other exports into a folder, as they would choose the same names.
    ///
    /// - Parameter path: The folder; where it cannot be locked, nothing is waited for.
    /// - Throws: `CancellationError`.
    init(in path: String) async throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            folder = nil
            return
        }
        let folder = LockableFile(descriptor)
        var isTold = false
        // The system reports no lock that became free, and a wait for one could not be interrupted with Ctrl-C.
        while (try? folder.lock()) == false {
            if !isTold { EchoTextCommand.say("waiting for another export into this folder") }
            isTold = true
            try await Task.sleep(for: .milliseconds(200))
        }
        self.folder = folder
    }
}
