import EchoText
import Foundation
import Testing

@Suite("Settings on the page")
struct PageSettingTests {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/WebApp/Resources/www").standardizedFileURL

    /// The names in `text` with the values that stand in until the settings are there.
    private static func standIns(in text: String) -> [(name: String, value: String)] {
        let called = text.matches(of: /\b(?:setting|numberSetting)\("([a-z.-]+)", "?([^")]*)"?\)/)
        let listed = text.matches(of: /\["([a-z]+\.[a-z-]+)", "([^"]*)"/)
        return called.map { (name: String($0.1), value: String($0.2)) }
            + listed.map { (name: String($0.1), value: String($0.2)) }
    }

    @Test("have their defaults of the catalogue until the server has answered")
    func defaults() throws {
        var count = 0
        let files = try #require(FileManager.default.enumerator(atPath: Self.scripts.path))
        for case let file as String in files where file.hasSuffix(".js") {
            let text = try String(contentsOf: Self.scripts.appending(path: file), encoding: .utf8)
            for (name, value) in Self.standIns(in: text) {
                // Other lists of pairs name something else.
                guard let setting = try? SettingsCatalogue.setting(called: name) else { continue }
                count += 1
                #expect(value == setting.standardText, "\(name) in \(file)")
            }
        }
        #expect(count > 15, "the scripts are looked through")
    }
}
