import Foundation
import Testing

@testable import EchoTextCLI

@Suite("Exit statuses")
struct ExitStatusTests {
    /// The codes of all errors in the sources, found where each says its own.
    private static let codes: Set<String> = {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var codes: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", let text = try? String(contentsOf: file, encoding: .utf8),
                text.contains("UserFacingError"), let start = text.range(of: "var code: String {")
            else { continue }
            let body = text[start.upperBound...].prefix { $0 != "}" }
            codes.formUnion(body.matches(of: /: "([a-z]+\.[a-z0-9-]+)"/).map { String($0.1) })
        }
        return codes
    }()

    /// The web app's own errors never reach the shell.
    private static let unheard = ["web.", "setting."]

    @Test("are chosen for each error that a command can end with")
    func complete() {
        #expect(Self.codes.count > 150)
        let missing = Self.codes.filter { code in
            ExitStatus.byCode[code] == nil && !code.hasPrefix("dictionary.")
                && !Self.unheard.contains { code.hasPrefix($0) }
        }
        #expect(missing.isEmpty)
    }

    @Test("are of errors that exist")
    func real() {
        #expect(Set(ExitStatus.byCode.keys).subtracting(Self.codes).isEmpty)
    }
}
