import Testing

@testable import EchoTextCLI

@Suite("A text that is printed")
struct PrintedTextTests {
    @Test(
        "has a line feed for a line end of any kind",
        arguments: [
            ("red\rgreen", "red\ngreen"), ("red\r\ngreen", "red\ngreen"),
            ("red\r\r\ngreen\n\nblue", "red\n\ngreen\n\nblue"),
            ("red\u{B}green\u{C}blue\u{85}white", "red\ngreen\nblue\nwhite"), ("red\u{2028}green", "red\u{2028}green"),
            ("\r\n\r\n", "\n\n"), ("red\tgreen\n", "red\tgreen\n"),
        ]
    )
    func lines(_ text: String, _ shown: String) {
        #expect(CommandOutput.harmless(text) == shown)
    }

    @Test(
        "has a space for it where it is one line",
        arguments: [
            ("red\rgreen", "red green"), ("red\r\ngreen\tblue\u{85}", "red green blue "), ("a\u{1B}[31mb", "a[31mb"),
        ]
    )
    func oneLine(_ text: String, _ shown: String) {
        #expect(CommandOutput.harmless(text, isLine: true) == shown)
    }

    @Test("has nothing that a terminal obeys")
    func commands() {
        #expect(CommandOutput.harmless("a\u{7}\u{1B}]0;b\u{9B}\0\u{202E}c\u{2066}d\u{7F}") == "a]0;bcd")
    }
}
