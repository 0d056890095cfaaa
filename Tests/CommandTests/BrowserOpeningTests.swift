import EchoTextTesting
import Foundation
import Testing

@Suite("echotext serve --browser", .endsInTime)
struct BrowserOpeningTests {
    /// Notes what it is to open, and ends the server that asked.
    private static let opener = """
        #!/bin/sh
        printf '%s' "$1" >opened
        kill -INT "$PPID"
        """

    @Test("opens the page without a terminal, as from a menu of programs")
    func opens() async throws {
        let home = try LibraryHome()
        try home.folder.write(Self.opener, to: "xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home.folder("xdg-open"))
        var server = home.program(["serve", "--port", "0", "--browser"])
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        server.environment.merge(["PATH": "\(home.folder.path):\(path)", "DISPLAY": ":0"]) { _, new in new }
        let served = try await server.run()
        #expect(served.status == 0, "\(served.errors)")
        #expect(try home.folder.text(of: "opened").hasSuffix(".html"))
    }

    @Test("does not go with --no-browser")
    func excluded() async throws {
        let home = try LibraryHome()
        let refused = try await home.program(["serve", "--browser", "--no-browser"]).run()
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(refused.errors.contains("--browser and --no-browser exclude each other"))
    }
}
