import EchoText
import Foundation

/// The person's browser.
struct Browser {
    /// Of the person alone.
    let folder: String

    /// Opens `address`, which nobody else may see.
    ///
    /// The arguments of a program can be seen by everybody on the machine. So the browser is given a file that only this
    /// person can read and that leads on; it is gone when it has been read, or after some seconds.
    func open(_ address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let file = "\(folder)/open-\(UUID().uuidString).html"
        let page = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=\(address)\">"
        guard
            FileManager.default.createFile(
                atPath: file,
                contents: Data(page.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { return }
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/env")
        opener.arguments = ["xdg-open", file]
        (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        // Without a browser the address on the screen is enough.
        try? opener.run()
        Task {
            try? await Task.sleep(for: .seconds(15))
            unlink(file)
        }
    }
}
