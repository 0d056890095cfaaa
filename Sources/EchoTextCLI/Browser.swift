import Foundation

/// The person's browser.
enum Browser {
    /// Whether there is a screen to show a page on.
    static var isThere: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    }

    /// Shows the page in the file at `path`.
    ///
    /// A browser that cannot be started is nothing to complain of: the address is on the screen as well.
    static func show(_ path: String) {
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/env")
        opener.arguments = ["xdg-open", path]
        (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? opener.run()
    }
}
