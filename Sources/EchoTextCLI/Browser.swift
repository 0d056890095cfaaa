import Foundation

/// The person's browser.
enum Browser {
    /// Whether there is a screen that can show a page.
    static var isThere: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    }

    /// Opens the file at `path`, a page, in the browser.
    ///
    /// A browser that does not start is no error: the terminal shows the address as well.
    static func show(_ path: String) {
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/env")
        opener.arguments = ["xdg-open", path]
        (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? opener.run()
    }
}
