import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, bad input", .endsInTime)
struct BadInputTests {
    private let folder = TemporaryFolder()

    private func refusal(of arguments: [String], input: Data = Data(), redirection: String = "") async throws
        -> Program.Outcome
    {
        var program = Program(["speak"] + arguments, in: folder)
        program.input = input
        program.redirection = redirection
        let before = folder.names
        let outcome = try await program.run()
        #expect(folder.names == before, "something was left behind")
        return outcome
    }

    @Test("without text is said to be so", arguments: ["", " ", "\n\n\t \u{A0}\u{200B}\r\n", "\u{FEFF}"])
    func empty(_ text: String) async throws {
        for arguments in [[text, "-o", "out.wav"], ["-o", "out.wav"], ["-f", "-", "-o", "-"]] {
            let outcome = try await refusal(of: arguments, input: Data(text.utf8))
            #expect(outcome.status == 66)
            #expect(outcome.errors.hasPrefix("echotext: error: There is no text to speak."))
            #expect(outcome.output.isEmpty)
        }
    }

    /// Sets the clipboard (OSC 52), clears the screen, changes the direction of the following text, and begins a line.
    private static let obeyed = "a\u{1B}]52;c;ZXZpbA==\u{07}\u{1B}[2J\u{9B}31m\u{202E}b\nechotext: error: forged"

    @Test(
        "with names that a terminal would obey is reported without the control characters",
        arguments: [
            ["voices", "add", obeyed], ["voices", "add", "\(obeyed)/c.tar.bz2"],
            ["speak", "Hello.", "--voice", obeyed],
            ["speak", "Hello.", "--voice", "./\(obeyed)"], ["speak", "-f", obeyed], ["import", obeyed],
            ["speak", "Hello.", "-o", "\(obeyed)/"], ["speak", "Hello.", "-o", "missing/\(obeyed)"],
            ["speak", "Hello.", "--format", obeyed], ["speak", "--\(obeyed)"], [obeyed],
            ["settings", "get", obeyed], ["voices", "show", obeyed], ["export-all", obeyed, "--format", obeyed],
        ]
    )
    func obeyedNames(_ arguments: [String]) async throws {
        for made in [false, true] {
            // A folder of that name that holds no voice, too.
            let folder = TemporaryFolder()
            if made {
                try FileManager.default.createDirectory(atPath: folder(Self.obeyed), withIntermediateDirectories: true)
            }
            var program = Program(arguments, in: folder)
            program.environment = ["ECHOTEXT_LIBRARY": folder("library"), "ECHOTEXT_DEVICE": folder("device")]
            let outcome = try await program.run()
            #expect(outcome.status != 0)
            #expect(!outcome.errors.isEmpty)
            let said = outcome.errors.unicodeScalars
            #expect(
                said.allSatisfy { $0 == "\n" || ($0.properties.generalCategory != .control && $0 != "\u{202E}") },
                "\(outcome.errors.debugDescription)"
            )
        }
    }

    struct Content: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    static let contents: [Content] = [
        .init(testDescription: "PDF", bytes: Array("%PDF-1.7\n%âãÏÓ\n1 0 obj".utf8)),
        .init(
            testDescription: "a PDF with a damaged signature",
            bytes: Array("%PXF-1.7\r\n1 0 obj\r\n<< /Type /Catalog /Pages 2 0 R >>\r\nendobj\r\n".utf8)
        ),
        .init(
            testDescription: "a PDF with a damaged signature and a comment",
            bytes: Array("XPDF-1.4\n% Made by hand for the harbour\n1 0 obj\n<</F1 2 0 R>>\nendobj\n".utf8)
        ),
        .init(testDescription: "PNG", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]),
        .init(testDescription: "ELF", bytes: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]),
        .init(testDescription: "ZIP", bytes: [0x50, 0x4B, 3, 4, 20, 0]),
        .init(testDescription: "NULs", bytes: [UInt8](repeating: 0, count: 5_000)),
        .init(testDescription: "a NUL in text", bytes: Array("Hello\u{0}world".utf8)),
    ]

    @Test("that is no text is refused by what is in it", arguments: contents)
    func binary(_ content: Content) async throws {
        try folder.write(Data(content.bytes), to: "text.txt")
        let file = try await refusal(of: ["-f", "text.txt", "-o", "out.wav"])
        #expect(file.status == 65)
        #expect(file.errors.contains("“text.txt” is not plain text") && file.errors.contains("“echotext import”"))
        let input = try await refusal(of: ["-o", "out.wav"], input: Data(content.bytes))
        #expect(input.status == 65)
        #expect(input.errors.contains("Standard input is not plain text"))
        #expect(input.errors.contains("Save PDF files and books as files"), "“import” reads no standard input")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        let status: Int32
        let words: String

        init(_ name: String, _ arguments: [String], _ status: Int32, _ words: String) {
            (testDescription, self.arguments, self.status, self.words) = (name, arguments, status, words)
        }
    }

    static let refusals: [Refusal] = [
        .init("a missing text", ["-f", "none.txt", "-o", "out.wav"], 66, "There is no file “none.txt”."),
        .init("a folder as text", ["-f", "folder", "-o", "out.wav"], 66, "“folder” is a folder"),
        .init("a missing folder", ["Hi", "-o", "none/out.wav"], 73, "does not exist"),
        .init("a folder as output", ["Hi", "-o", "folder", "--format", "wav"], 73, "“folder” is a folder."),
        .init("a folder with an ending", ["Hi", "-o", "folder.wav"], 73, "“folder.wav” is a folder."),
        .init("an unknown ending", ["Hi", "-o", "out.xyz"], 64, "“xyz” is not a sound format"),
        .init("no ending", ["Hi", "-o", "out"], 64, "does not say which format"),
        .init("an unknown format", ["Hi", "-o", "out.wav", "--format", "aac"], 64, "aac"),
        .init("unknown timings", ["Hi", "-o", "out.wav", "--timings", "out.txt"], 64, ".json, .srt, .vtt"),
        .init(
            "timings in a missing folder",
            ["Hi", "-o", "out.wav", "--timings", "none/out.srt"],
            73,
            "does not exist"
        ),
        .init(
            "one file for both",
            ["Hi", "-o", "out.vtt", "--format", "raw", "--timings", "./out.vtt"],
            64,
            "same file"
        ),
        .init("a folder for both", ["Hi", "-o", "-", "--timings", "-"], 64, "same file"),
        .init("the text as output", ["-f", "text.txt", "-o", "./text.txt", "--format", "wav"], 64, "replace the text"),
        .init("the text under another name", ["-f", "text.txt", "-o", "link.wav"], 64, "replace the text"),
        .init("the text as timings", ["-f", "text.srt", "-o", "out.wav", "--timings", "text.srt"], 64, "replace"),
        .init("two texts", ["Hi", "-f", "text.txt", "-o", "out.wav"], 64, "Give one of TEXT"),
        .init("too slow", ["Hi", "-o", "out.wav", "--speed", "0.4"], 64, "from 0.5 to 1.5"),
        .init("too fast", ["Hi", "-o", "out.wav", "--speed", "1.6"], 64, "from 0.5 to 1.5"),
        .init("no speed", ["Hi", "-o", "out.wav", "--speed", "nan"], 64, "from 0.5 to 1.5"),
        .init("too low", ["Hi", "-o", "out.wav", "--pitch", "0.4"], 64, "from 0.5 to 2"),
        .init("too high", ["Hi", "-o", "out.wav", "--pitch", "2.1"], 64, "from 0.5 to 2"),
        .init("no pitch", ["Hi", "-o", "out.wav", "--pitch", "high"], 64, "pitch"),
        .init("an unknown step", ["Hi", "-o", "out.wav", "--without", "magic"], 64, "abbreviations"),
        .init("too long a pause", ["Hi", "-o", "out.wav", "--sentence-pause", "61"], 64, "0 to 60"),
        .init("too many threads", ["Hi", "-o", "out.wav", "--threads", "0"], 64, "1 to 64"),
        .init("a missing dictionary", ["Hi", "-o", "out.wav", "--dictionary", "none.txt"], 66, "“none.txt”"),
        .init("a broken dictionary", ["Hi", "-o", "out.wav", "--dictionary", "text.txt"], 65, "Line 1"),
        .init("the full device", ["Hi", "-o", "/dev/full", "--format", "wav"], 74, "The disk is full."),
        .init("timings on the full device", ["Hi", "-o", "out.wav", "--timings", "full.srt"], 74, "The disk is full."),
        .init("the summary and the sound", ["Hi", "-o", "-", "--json"], 64, "both the summary and the output"),
        .init("a link to nothing", ["Hi", "-o", "gone.wav"], 73, "symbolic link to “away/gone.wav”"),
    ]

    @Test("is refused with words, the right exit code and nothing left behind", arguments: refusals)
    func refused(_ example: Refusal) async throws {
        for name in ["folder", "folder.wav"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
        }
        try folder.write("Just a text.", to: "text.txt")
        try folder.write("Just a text.", to: "text.srt")
        try FileManager.default.createSymbolicLink(atPath: folder("link.wav"), withDestinationPath: "text.txt")
        try FileManager.default.createSymbolicLink(atPath: folder("full.srt"), withDestinationPath: "/dev/full")
        try FileManager.default.createSymbolicLink(atPath: folder("gone.wav"), withDestinationPath: "away/gone.wav")
        let outcome = try await refusal(of: example.arguments)
        #expect(outcome.status == example.status, "\(outcome.errors)")
        #expect(outcome.errors.contains(example.words), "\(outcome.errors)")
        #expect(try folder.text(of: "text.txt") == "Just a text.")
    }

    @Test("is refused for programs too", arguments: [refusals[0], refusals[2], refusals[16]])
    func refusedInJSON(_ example: Refusal) async throws {
        struct Answer: Decodable {
            struct Content: Decodable {
                let code: String
                let message: String
                let suggestion: String?
            }

            let error: Content
        }
        let outcome = try await refusal(of: example.arguments + ["--json"])
        #expect(outcome.status == example.status)
        let answer = try JSONDecoder().decode(Answer.self, from: outcome.output)
        let fields = try JSONSerialization.jsonObject(with: outcome.output) as? [String: [String: Any]]
        let names = Set(fields?["error"]?.keys.map(\.self) ?? [])
        #expect(names.isSuperset(of: ["code", "message", "suggestion"]))
        #expect(answer.error.code.contains("."))
        #expect(outcome.errors.contains(answer.error.message))
        #expect(outcome.errors.contains(try #require(answer.error.suggestion)))
    }

    @Test(
        "to a full standard output ends with words",
        arguments: [["Hi", "-o", "-"], ["Hi", "-o", "x.wav", "--json"]]
    )
    func fullOutput(_ arguments: [String]) async throws {
        var program = Program(["speak"] + arguments, in: folder)
        program.redirection = ">/dev/full"
        let outcome = try await program.run()
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("error:"))
    }

    @Test(
        "to a closed standard output ends with words, and before it waits for anything",
        arguments: [
            ["Hi", "-o", "-"], ["Hi", "-o", "x.wav", "--timings", "-"], ["Hi", "-o", "x.wav", "--json"],
            ["-o", "-"],
        ]
    )
    func closedOutput(_ arguments: [String]) async throws {
        var program = Program(["speak"] + arguments, in: folder)
        program.redirection = ">&-"
        if arguments.first == "-o" { program.input = nil }
        let outcome = try await program.run()
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(outcome.errors.contains("Standard output is closed."))
    }

    @Test("in an argument that is not UTF-8 is refused, and not taken for another name")
    func foreignArgument() async throws {
        var program = Program(["import"], in: folder)
        program.redirection = "\"$(printf 'latin-\\351.txt')\""
        let outcome = try await program.run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("Argument 2 is not in UTF-8."))
    }

    @Test("from a closed standard input is missing, not waited for")
    func closedInput() async throws {
        var program = Program(speak: "-o", "x.wav", in: folder)
        program.redirection = "<&-"
        let outcome = try await program.run()
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(!folder.names.contains("x.wav"))
    }

    @Test("in a closed stream's place is no file of the library, into which an answer would be written")
    func closedStreams() async throws {
        #expect(try await Program(speak: "Hi", "--save", in: folder).run().status == 0)
        for (redirection, status) in [("<&-", 0), (">&-", 74), ("2>&-", 0), ("<&- >&- 2>&-", 74)] as [(String, Int32)] {
            var program = Program(["library", "list", "--json"], in: folder)
            program.redirection = redirection
            #expect(try await program.run().status == status, "\(redirection)")
        }
        var deletion = Program(["library", "delete", "Hi", "--yes", "--json"], in: folder)
        deletion.redirection = ">&-"
        #expect(try await deletion.run().status == 74)
        #expect(try await Program(["library", "list"], in: folder).run().text.contains("Hi"), "nothing was done")
        #expect(try await Program(["vault", "check", "--read-data"], in: folder).run().status == 0)
    }

    @Test("a sound that may not be written is refused", .enabled(if: geteuid() != 0, "root may write anywhere"))
    func notPermitted() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let outcome = try await refusal(of: ["Hi", "-o", "out.wav"])
        #expect(outcome.status == 73)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    @Test("of 100 MB is spoken from its beginning, in flat memory", arguments: ["\n", " "])
    func huge(_ separator: String) async throws {
        let block = Data((Fixtures.text(words: 9_000).replacing("\n", with: " ") + separator).utf8)
        try folder.write("", to: "text.txt")
        let file = try FileHandle(forWritingTo: URL(filePath: folder("text.txt")))
        for _ in 0...100_000_000 / block.count { try file.write(contentsOf: block) }
        try file.close()
        var peak = 0
        let outcome = try await Program(speak: "-f", "text.txt", "-o", "-", "--format", "raw", in: folder)
            .run { running in
                #expect(await running.output.first(30 * 22_050 * 2).count >= 30 * 22_050 * 2)
                peak = try #require(running.peakMemory)
                running.signal(SIGINT)
            }
        #expect(outcome.status == 130)
        #expect(peak < 150_000_000, "\(peak) bytes")
    }
}
