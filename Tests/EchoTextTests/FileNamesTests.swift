import EchoText
import Foundation
import Testing

@Suite("Names of exported files")
struct FileNamesTests {
    private func name(_ text: String, _ fileExtension: String = "wav") -> String {
        var names = FileNames()
        return names.name(for: text, fileExtension: fileExtension)
    }

    @Test(
        "keep what every file system takes, and lose what one refuses",
        arguments: [
            ("Chapter 3", "Chapter 3.wav"), ("Õhtu – 夜 🎧", "Õhtu – 夜 🎧.wav"),
            ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j.wav"),
            ("../../etc/passwd", "etc passwd.wav"), (".hidden", "hidden.wav"), ("...", "recording.wav"),
            ("/", "recording.wav"),
            ("-rf", "rf.wav"), ("--o x", "o x.wav"), ("end. . ", "end.wav"), ("a\u{0}b\nc\u{7F}d", "a b c d.wav"),
            ("a\u{202E}gpj.exe", "a gpj.exe.wav"), ("\u{200D}", "recording.wav"), ("می‌خواهم", "می‌خواهم.wav"),
            ("  ", "recording.wav"),
            ("%2e%2e", "%2e%2e.wav"), ("$(rm -rf ~)", "$(rm -rf ~).wav"), ("\u{FEFF}x\u{E000}", "x.wav"),
        ]
    )
    func signs(_ text: String, expected: String) {
        #expect(name(text) == expected)
    }

    @Test(
        "are no device of Windows",
        arguments: ["con", "PRN", "Aux.txt", "nul", "COM1", "lpt9.mp3", "com¹", "CONIN$", "con .x"]
    )
    func devices(_ text: String) {
        #expect(name(text).hasPrefix("_"))
        #expect(name("\(text)sole").hasPrefix("_") == text.contains("."))
    }

    @Test(
        "have at most 200 bytes, cut between characters",
        arguments: ["a", "õ", "夜", "🎧", "👨‍👩‍👧‍👦", "e\u{301}\u{302}"]
    )
    func length(_ character: String) {
        var names = FileNames()
        let text = String(repeating: character, count: 200)
        for _ in 0..<12 {
            let name = names.name(for: text, fileExtension: "flac")
            #expect(name.utf8.count <= 200)
            #expect(name.hasSuffix(".flac"))
            let stem = name.dropLast(5).replacing(/\ \(\d+\)$/, with: "")
            #expect(stem.allSatisfy { String($0) == character })
            #expect(stem.utf8.count > 150)
        }
    }

    @Test("are numbered though a dot is far from their end")
    func farDot() {
        var names = FileNames()
        let ending = String(repeating: "x", count: 198)
        let made = (1...12).map { _ in names.name(for: "a", fileExtension: ending) }
        #expect(Set(made).count == 12 && made.allSatisfy { $0.utf8.count <= 200 && $0.hasPrefix("a.x") })
        #expect(made.last?.hasSuffix("x (12)") == true)
    }

    @Test("are numbered before a long ending that leaves room for it", arguments: [33, 100, 177])
    func longEnding(length: Int) {
        var names = FileNames()
        let ending = String(repeating: "x", count: length)
        let made = (1...12).map { _ in names.name(for: "a", fileExtension: ending) }
        #expect(made == ["a.\(ending)"] + (2...12).map { "a (\($0)).\(ending)" })
    }

    @Test("have at most 200 bytes whatever the length of their ending", arguments: 170...210)
    func anyEnding(length: Int) {
        var names = FileNames()
        let ending = String(repeating: "x", count: length)
        let made = (1...12).map { _ in names.name(for: "Chapter", fileExtension: ending) }
        #expect(Set(made).count == 12)
        #expect(made.allSatisfy { $0.utf8.count <= 200 && $0.hasPrefix("C") })
    }

    @Test("survive one character that is longer than a name")
    func oneLongCharacter() {
        #expect(name("a" + String(repeating: "\u{301}", count: 199)) == "recording.wav")
    }

    @Test("are numbered where two would be one on some disk")
    func duplicates() {
        var names = FileNames()
        let given = ["Õhtu", "õhtu", "O\u{303}htu", "Õhtu?", "Õhtu (2)", "Õhtu"].map {
            names.name(for: $0, fileExtension: "txt")
        }
        #expect(given[0] == "Õhtu.txt")
        #expect(given[1] == "õhtu (2).txt")
        #expect(Set(given.map { $0.decomposedStringWithCanonicalMapping.lowercased() }).count == given.count)
        #expect(names.name(for: "Õhtu", fileExtension: "vtt") == "Õhtu.vtt")
    }

    @Test("may have no ending")
    func noEnding() {
        #expect(name("A book", "") == "A book")
    }
}
