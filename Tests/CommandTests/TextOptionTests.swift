import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, text", .endsInTime)
struct TextOptionTests {
    private static let voices = ["en-us", Fixtures.voice]

    private let folder = TemporaryFolder()

    /// The speech as raw samples.
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
        let reference = try await spoken([text])
        #expect(!reference.isEmpty)
        #expect(try await spoken(["-f", "text.txt"]) == reference)
        #expect(try await spoken(["-f", folder("text.txt")]) == reference)
        #expect(try await spoken(["-f", "-"], input: Data(text.utf8)) == reference)
        #expect(try await spoken([], input: Data(text.utf8)) == reference)
    }

    @Test("is heard up to its last whole sentence while another program is still writing it", arguments: voices)
    func slowPipe(_ voice: String) async throws {
        var program = Program(["speak", "-o", "-", "--format", "raw", "--voice", voice], in: folder)
        program.input = nil
        let outcome = try await program.run { running in
            await running.write(Data("The first sentence.\n".utf8))
            #expect(await running.output.first(16_000).count >= 16_000)
            await running.give(Data("The second one follows.\n".utf8))
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
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

    /// Letters with which a few stray bytes do not change the detected encoding.
    private static let accents = Data(String(repeating: " déjà-vu", count: 30).utf8)

    /// KOI8-R by RFC 1489, as far as it has Russian letters and ASCII.
    private static func koi8(_ text: String) -> Data {
        let small = Array("юабцдефгхийклмнопярстужвьызшэщчъ")
        return Data(
            text.compactMap { letter in
                if let ascii = letter.asciiValue { return ascii }
                if letter == "ё" { return 0xA3 }
                if let place = small.firstIndex(of: letter) { return UInt8(0xC0 + place) }
                return small.firstIndex(of: Character(letter.lowercased())).map { UInt8(0xE0 + $0) }
            }
        )
    }

    private static func bytes(_ text: String, _ encoding: String.Encoding) -> Data {
        text.data(using: encoding) ?? Data()
    }

    private static let russian = "Скоро наступит ночь, и мы пойдём домой по тихой улице."
    private static let french = "Le garçon a mangé une crêpe près de la fenêtre, à côté."
    /// A single sentence: espeak-ng's output depends slightly on the sentence before, and several are distributed among
    /// processes.
    private static let japanese = "夜が近づいている、外は寒い、窓の外を見ると、雪が降っていた。"
    private static let plain = "Plain words without a mark of their order."

    static let encodings: [(String, Data, String)] = [
        (russian, bytes(russian, .windowsCP1251), "CP1251"), (russian, koi8(russian), "KOI8-R"),
        (french, bytes(french, .isoLatin1), "CP1252"), (japanese, bytes(japanese, .shiftJIS), "SHIFT_JIS"),
        (plain, bytes(plain, .utf16LittleEndian), "UTF-16"),
    ]

    @Test("may be written in any encoding, which is guessed as import does, and said", arguments: encodings)
    func guessed(_ text: String, _ data: Data, _ name: String) async throws {
        try folder.write(data, to: "text.txt")
        let expected = try await spoken([text])
        let notice = DocumentNotice.guessedEncoding(name).message
        var piped = Program(["speak", "-f", "-", "-o", "-", "--format", "raw"], in: folder)
        piped.input = data
        for program in [Program(["speak", "-f", "text.txt", "-o", "-", "--format", "raw"], in: folder), piped] {
            let outcome = try await program.run()
            #expect(outcome.status == 0 && outcome.output == expected, "\(outcome.errors)")
            #expect(outcome.errors.contains("note: \(notice)"))
        }
        let summary = try await Program(speak: "-f", "text.txt", "-o", "out.wav", "--json", in: folder).run()
        let reported = try JSONSerialization.jsonObject(with: summary.output) as? [String: Any]
        #expect((reported?["notices"] as? [[String: Any]])?.first?["encoding"] as? String == name)
        #expect(try await Program(["import", "text.txt"], in: folder).run().errors.contains("note: \(notice)"))
    }

    @Test("is pronounced by a dictionary in any encoding, which is said")
    func guessedDictionary() async throws {
        let words = "# Les mots français à côté de la fenêtre.\ncafé = coffee\n"
        try folder.write(try #require(words.data(using: .isoLatin1)), to: "words.txt")
        let program = Program(
            ["speak", "-o", "-", "--format", "raw", "--dictionary", "words.txt", "A café here."],
            in: folder
        )
        let outcome = try await program.run()
        #expect(outcome.errors.contains("note: “words.txt”: \(DocumentNotice.guessedEncoding("CP1252").message)"))
        #expect(try await outcome.output == spoken(["A coffee here."]))
    }

    private static let russianWords = "# Слова, которые произносятся иначе на улице нашего города.\nмаяк = огонь\n"
    static let dictionaries: [Data] = [koi8(russianWords), bytes(russianWords, .windowsCP1251)]

    @Test("is pronounced by a dictionary in letters that are not Latin", arguments: dictionaries)
    func foreignDictionary(_ words: Data) async throws {
        try folder.write(words, to: "words.txt")
        let program = Program(
            ["speak", "-o", "-", "--format", "raw", "--voice", "ru", "--dictionary", "words.txt", "Вот маяк."],
            in: folder
        )
        let outcome = try await program.run()
        #expect(outcome.errors.contains("note: “words.txt”: The file does not say"), "\(outcome.errors)")
        #expect(try await outcome.output == spoken(["--voice", "ru", "Вот огонь."]))
    }

    @Test("that is not valid is read all the same, and that is said once")
    func invalid() async throws {
        try folder.write(
            Data("Hello ".utf8) + Data([0xFF, 0xC3, 0x28]) + Data(" world \u{E9}.".utf8) + Self.accents,
            to: "text.txt"
        )
        let outcome = try await Program(speak: "-f", "text.txt", "-o", "out.wav", in: folder).run()
        #expect(outcome.status == 0)
        let notice = "note: \(DocumentNotice.replacedCharacters(2).message)"
        #expect(outcome.errors.components(separatedBy: notice).count == 2, "\(outcome.errors)")
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
