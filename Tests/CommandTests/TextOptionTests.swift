import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, text")
struct TextOptionTests {
    private static let voices = ["en-us", Fixtures.voice]

    private let folder = TemporaryFolder()

    /// What is heard, as raw samples.
    private func spoken(_ arguments: [String], input: Data = Data()) async throws -> Data {
        var program = Program(["speak", "-o", "-", "--format", "raw"] + arguments, in: folder)
        program.input = input
        let outcome = try await program.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("comes from the argument, a file or standard input, and sounds the same")
    func sources() async throws {
        let text = "Every good boy deserves fudge."
        try folder.write(text, to: "text.txt")
        let heard = try await spoken([text])
        #expect(!heard.isEmpty)
        #expect(try await spoken(["-f", "text.txt"]) == heard)
        #expect(try await spoken(["-f", folder("text.txt")]) == heard)
        #expect(try await spoken(["-f", "-"], input: Data(text.utf8)) == heard)
        #expect(try await spoken([], input: Data(text.utf8)) == heard)
    }

    @Test("may have a byte order mark, in UTF-8 and UTF-16", arguments: ["utf8", "utf16le", "utf16be"])
    func byteOrderMarks(_ encoding: String) async throws {
        let text = "Smörgåsbord, please. 🎉"
        let units = text.utf16
        let data =
            switch encoding {
            case "utf8": Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)
            case "utf16le": Data([0xFF, 0xFE]) + Data(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            default: Data([0xFE, 0xFF]) + Data(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
            }
        try folder.write(data, to: "text.txt")
        #expect(try await spoken(["-f", "text.txt"]) == spoken([text]))
    }

    @Test("is pronounced by a dictionary of words and IPA, with either engine", arguments: voices)
    func dictionary(_ voice: String) async throws {
        try folder.write("GIF = jif\ntomato = /təmˈɑːtəʊ/\n", to: "words.txt")
        let dictionary = ["--voice", voice, "--dictionary", "words.txt"]
        let replaced = try await spoken(dictionary + ["A GIF here."])
        #expect(try await replaced == spoken(["--voice", voice, "A jif here."]))
        #expect(try await replaced != spoken(["--voice", voice, "A GIF here."]))
        let phonemes = try await spoken(dictionary + ["One tomato."])
        #expect(try await phonemes != spoken(["--voice", voice, "One tomato."]))
        #expect(try await replaced != spoken(dictionary + ["--without", "dictionary", "A GIF here."]))
    }

    struct Step: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }
    }

    static let steps: [Step] = [
        .init(name: "unicode", text: "ｆｉｖｅ fish"),
        .init(name: "abbreviations", text: "approx. two"),
        .init(name: "numbers", text: "Chapter XIV, pages 3–5"),
        .init(name: "dates", text: "On 2024-05-17"),
        .init(name: "times", text: "At 10:45"),
        .init(name: "currency", text: "It costs $3.50"),
        .init(name: "units", text: "Run 5 km"),
        .init(name: "addresses", text: "See www.example.org/help"),
        .init(name: "symbols", text: "Salt & pepper #cooking"),
        .init(name: "markup", text: "Say **this** and `that`"),
    ]

    @Test("is spoken otherwise without a step of its preparation", arguments: steps)
    func without(_ step: Step) async throws {
        #expect(try await spoken([step.text]) != spoken(["--without", step.name, step.text]))
    }

    @Test("waits where it says so", arguments: voices)
    func pauses(_ voice: String) async throws {
        let plain = ["-o", "-", "--voice", voice, "--json"].dropLast()
        let rate = voice == Fixtures.voice ? 16_000 : 22_050
        let one = try await spoken(Array(plain) + ["First. [pause:1s] Second."]).count
        let two = try await spoken(Array(plain) + ["First. [pause:2.5s] Second."]).count
        #expect(abs(Double(two - one) / 2 / Double(rate) - 1.5) < 0.01)
    }

    @Test("pauses between sentences, paragraphs and after headings as long as the options say")
    func settings() async throws {
        let text = "Title\n\nOne here. Two here.\n\nThree here."
        let none = ["--sentence-pause", "0", "--paragraph-pause", "0", "--heading-pause", "0", text]
        let base = try await spoken(none).count
        let longer = try await spoken(["--sentence-pause", "1", "--paragraph-pause", "2", "--heading-pause", "3", text])
        #expect(abs(Double(longer.count - base) / 2 / 22_050 - 6) < 0.01)
    }

    @Test("that is not valid is read all the same, and that is said once")
    func invalid() async throws {
        try folder.write(Data("Hello ".utf8) + Data([0xFF, 0xC3, 0x28]) + Data(" world \u{E9}.".utf8), to: "text.txt")
        let outcome = try await Program(speak: "-f", "text.txt", "-o", "out.wav", in: folder).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.components(separatedBy: "warning:").count == 2)
        #expect(outcome.errors.contains("2 unreadable places were left out"))
    }

    @Test("does not show in the log, at any level", arguments: ["debug", "trace"], voices)
    func log(_ level: String, _ voice: String) async throws {
        var program = Program(speak: "Xylophone quartz.", "-o", "out.wav", "--voice", voice, in: folder)
        program.environment["ECHOTEXT_LOG"] = level
        let outcome = try await program.run()
        #expect(outcome.status == 0)
        #expect(!outcome.errors.lowercased().contains("xyloph"))
        #expect(!outcome.errors.lowercased().contains("quartz"))
    }
}
