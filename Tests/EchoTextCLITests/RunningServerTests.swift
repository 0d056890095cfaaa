import EchoText
import EchoTextTesting
import Foundation
import Testing
import WebApp

@testable import EchoTextCLI

@Suite("The record of the running server")
struct RunningServerTests {
    private let home = TemporaryFolder()
    private let address = WebServer.Address(host: "name.localhost", port: 7_340)

    @Test("is found as long as the server runs, also where its folder was missing")
    func found() throws {
        let folder = home("state/web")
        let running = RunningServer(folder: folder)
        #expect(running.address() == nil)
        try running.remember(address)
        let found = RunningServer(folder: folder).address()
        #expect(found?.host == address.host && found?.port == address.port)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        running.forget()
        #expect(RunningServer(folder: folder).address() == nil)
    }

    @Test("cannot be kept in a folder that is missing and cannot be made, which is no full disk")
    func missing() throws {
        let link = home("web")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home("nowhere/web"))
        #expect(throws: WebError.folderUnusable(path: link)) { try RunningServer(folder: link).remember(address) }
    }

    @Test("gets no name on a full disk, which is said, and leaves nothing", arguments: [ENOSPC, EDQUOT])
    func full(number: Int32) throws {
        let folder = home("web")
        let running = RunningServer(folder: folder) { _, _ in
            errno = number
            return -1
        }
        #expect(throws: WebError.diskFull(path: folder)) { try running.remember(address) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(running.address() == nil)
    }

    @Test("is output that cannot be made where its folder cannot be used")
    func status() {
        let failure = WebError.folderUnusable(path: "/run/web").failure
        #expect(ExitStatus(of: failure.kind) == .cannotCreate)
        #expect(failure.suggestion?.contains("/run/web") == false, "a page says no paths")
        #expect(failure.inTerminal.suggestion?.contains("“/run/web”") == true)
    }

    @Test("gets no name where something else is in its place")
    func occupied() throws {
        try FileManager.default.createDirectory(atPath: home("web/server.json"), withIntermediateDirectories: true)
        let web = home("web")
        #expect(throws: WebError.folderUnusable(path: web)) { try RunningServer(folder: web).remember(address) }
    }
}
