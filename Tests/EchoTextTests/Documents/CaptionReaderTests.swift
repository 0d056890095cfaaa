import EchoText
import EchoTextTesting
import Testing

@Suite("Captions that are read", .endsInTime)
struct CaptionReaderTests {
    private static let talk = #"""
        1
        00:00:04,250 --> 00:00:06,900
        Let us begin
        with the boats,

        2
        00:00:07,125 --> 00:00:09,050
        <i>for we need three.</i>

        1204
        01:10:20,500 --> 01:10:22,750
        {\an8}Thank you.
        """#

    private static let webTalk = """
        WEBVTT

        NOTE made for a test

        STYLE
        ::cue { color: red }

        intro
        00:04.250 --> 00:06.900 align:start
        <v Ann>Let us begin with the boats,</v>

        00:07.125 --> 00:09.050
        for we need three &lt;boats&gt; &amp; <c.loud>oars</c>.
        """

    /// The paragraphs of a subtitle file that arrives in pieces of some characters.
    private func paragraphs(_ file: String, by size: Int = 10_000) throws -> [String] {
        var reader = CaptionReader(try #require(CaptionWriter.Format(ofTextBeginning: file)))
        var text = ""
        // A carriage return may be parted from its line feed.
        var scalars = Array(file.unicodeScalars)[...]
        while !scalars.isEmpty {
            var piece = String.UnicodeScalarView()
            piece.append(contentsOf: scalars.prefix(size))
            scalars = scalars.dropFirst(size)
            text += reader.read(String(piece))
        }
        text += reader.finish()
        return text.split(separator: "\n\n").map(String.init)
    }

    @Test(arguments: [1, 2, 7, 10_000], ["\n", "\r\n"])
    func `are sentences, however they arrive`(size: Int, lineEnd: String) throws {
        let talk = Self.talk.replacing("\n", with: lineEnd)
        #expect(try paragraphs(talk, by: size) == ["Let us begin with the boats, for we need three. Thank you."])
        let webTalk = Self.webTalk.replacing("\n", with: lineEnd)
        let words = "Let us begin with the boats, for we need three <boats> & oars."
        #expect(try paragraphs(webTalk, by: size) == [words])
    }

    /// The captions of a subtitle file that arrives in pieces of some characters, each with its time.
    private func captions(_ file: String, by size: Int = 10_000) throws -> [String] {
        var reader = CaptionReader(try #require(CaptionWriter.Format(ofTextBeginning: file)), keepsTimes: true)
        var text = ""
        var rest = file[...]
        while !rest.isEmpty {
            text += reader.read(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        text += reader.finish()
        return try #require(reader.cues).map { "\($0.start): \(text.part($0.range))" }
    }

    @Test(arguments: ["", "\n", "\n\n"], [1, 7, 10_000])
    func `of files that were joined are read without the marks at their beginnings`(end: String, size: Int) throws {
        let talk = """
            1
            00:00:01,000 --> 00:00:02,000
            One boat.\(end)\u{FEFF}1
            00:00:03,000 --> 00:00:04,000
            Two \u{FEFF}boats.
            """
        #expect(try captions(talk, by: size) == ["1.0: One boat.", "3.0: Two boats."])
        let webTalk = """
            WEBVTT

            00:01.000 --> 00:02.000
            One boat.\(end)\u{FEFF}WEBVTT

            00:03.000 --> 00:04.000
            Two boats.
            """
        #expect(try captions(webTalk, by: size) == ["1.0: One boat.", "3.0: Two boats."])
    }

    @Test(arguments: [1, 7, 10_000])
    func `know when they are said`(size: Int) throws {
        #expect(
            try captions(Self.talk, by: size) == [
                "4.25: Let us begin with the boats,", "7.125: for we need three.", "4220.5: Thank you.",
            ]
        )
        #expect(
            try captions(Self.webTalk, by: size) == [
                "4.25: Let us begin with the boats,", "7.125: for we need three <boats> & oars.",
            ]
        )
    }

    @Test func `that are said at once, or are out of order, share a time`() throws {
        let file = """
            1
            00:00:05,000 --> 00:00:06,000
            Näkku 𝄞 one.

            2
            00:00:05,000 --> 00:00:07,000
            Two.

            3
            00:00:04,000 --> 00:00:05,000
            Three.

            4
            00:00:08,000 --> 00:00:09,000
            ♪

            5
            00:00:10,000 --> 00:00:11,000
            Four.
            """
        #expect(try captions(file) == ["5.0: Näkku 𝄞 one. Two. Three.", "10.0: Four."])
        var reader = CaptionReader(.subRip)
        _ = reader.read(file)
        #expect(reader.cues == nil, "memory does not grow with a file whose times nobody needs")
    }

    @Test(arguments: [
        ("He said 5 < 6, and 7 > 3.", "He said 5 < 6, and 7 > 3."), ("I <3 you", "I <3 you"),
        ("{\\i1}Well{\\i0}, {so}", "Well, {so}"), ("<font color=\"#ff0000\">Red</font>", "Red"),
        ("AT&amp;T&nbsp;&#39;n&#x27; R&D;", "AT&T 'n' R&D;"), ("♪ La la ♪", "La la"), ("42", "42"),
        ("-5 degrees", "-5 degrees"), ("<b>Two\nlines</b>", "Two lines"), ("<ruby>驢<rt>lǘ</rt></ruby>馬", "驢馬"),
        ("caf&eacute; &ccedil;a &ldquo;oui&rdquo;&hellip;", "café ça “oui”…"), ("One\\Ntwo", "One two"),
        ("One\u{1C}two\u{1F}\u{B}three\u{85}four", "One two three four"),
    ])
    func `have no markup, and every other sign`(sample: (written: String, said: String)) throws {
        #expect(try paragraphs("1\n00:00:01,000 --> 00:00:02,000\n\(sample.written)\n") == [sample.said])
    }

    @Test func `of two speakers are two paragraphs, whatever is before them`() throws {
        let file = """
            1
            00:00:01,000 --> 00:00:02,000
            Nobody knows

            2
            00:00:03,000 --> 00:00:04,000
            - Who is it?
            - Me

            3
            00:00:05,000 --> 00:00:06,000
            - as you see.
            """
        #expect(try paragraphs(file) == ["Nobody knows", "Who is it?", "Me - as you see."])
    }

    @Test func `with markup that never ends are read in one pass`() throws {
        let open = String(repeating: "<rt>", count: 10_000)
        #expect(try paragraphs("1\n00:00:01,000 --> 00:00:02,000\n\(open)Hello.\n") == ["Hello."])
    }

    @Test func `keep a number and an empty line that are said`() throws {
        let file = """
            7
            00:00:01,000 --> 00:00:02,000
            How many?

            42

            8
            00:00:02,000 --> 00:00:03,000
            Not 41.
            9
            00:00:03,000 --> 00:00:04,000
            Good.
            """
        #expect(try paragraphs(file) == ["How many? 42 Not 41. Good."])
    }

    @Test(arguments: [1, 7, 10_000])
    func `keep the words that an empty line or a misspelt time parts from a caption of WebVTT`(size: Int) throws {
        let file = """
            WEBVTT

            NOTE before

            1
            00:01.000 --> 00:02.000
            First line,

            second line.

            NOTE mark at 0:02: Here
            and more of it

            name
            00:03.000 --> 00:04.000
            42

            00:05.000 -> 00:06.000
            No arrow.

            WEBVTT
            X-TIMESTAMP-MAP=LOCAL:00:00

            7

            00:07.000 --> 00:08.000

            Last one.
            """
        let words = "First line, second line. 42 00:05.000 -> 00:06.000 No arrow. Last one."
        #expect(try paragraphs(file, by: size) == [words])
        #expect(try paragraphs(file.replacing("\n", with: "\r\n"), by: size) == [words])
    }

    @Test func `begin a paragraph where another speaks`() throws {
        let voices = """
            WEBVTT

            00:01.000 --> 00:02.000
            <v Ann>Who is
            <v.loud Ann>there?
            <v Ben>Me.

            00:02.000 --> 00:03.000
            <v Ben>Only me.

            00:03.000 --> 00:04.000
            <v Ann>Come in. <v Ben>Yes.
            """
        #expect(try paragraphs(voices) == ["Who is there?", "Me. Only me.", "Come in.", "Yes."])
        let dashes = """
            1
            00:00:01,000 --> 00:00:02,000
            - Who is there?
            -Me.

            2
            00:00:02,000 --> 00:00:03,000
            We wait
            – he said – for you.
            ANN: Come in.
            """
        #expect(try paragraphs(dashes) == ["Who is there?", "Me. We wait – he said – for you.", "ANN: Come in."])
    }

    @Test func `begin a paragraph after a silence once there is some text`() throws {
        let sentence = "The boats come in at noon, and the keeper counts them one by one."
        let cues = (0..<5).map { index in
            "\(index + 1)\n00:00:\(10 + index * 5),000 --> 00:00:\(12 + index * 5),000\n\(sentence)\n"
        }
        let found = try paragraphs(cues.joined(separator: "\n"))
        #expect(found.map { $0.count / sentence.count } == [4, 1])
    }

    @Test func `that show words one by one are read once`() throws {
        let file = """
            WEBVTT
            Kind: captions

            00:00:00.000 --> 00:00:02.000 align:start position:0%
            \u{20}
            so<00:00:00.500><c> we</c><00:00:01.000><c> begin</c>

            00:00:02.000 --> 00:00:02.010 align:start position:0%
            so we begin
            \u{20}

            00:00:02.010 --> 00:00:04.000 align:start position:0%
            so we begin
            with<00:00:03.000><c> boats</c>

            00:00:04.000 --> 00:00:04.010 align:start position:0%
            with boats
            \u{20}
            """
        // A line with a blank is not empty.
        #expect(try paragraphs(file) == ["so we begin with boats"])
    }

    @Test func `that roll up without times of words are read once, and what is said twice twice`() throws {
        let rolling = """
            WEBVTT

            00:00:00.000 --> 00:00:02.000
            so we begin

            00:00:02.000 --> 00:00:02.010
            so we begin

            00:00:02.010 --> 00:00:04.000
            so we begin
            with boats
            """
        #expect(try paragraphs(rolling) == ["so we begin with boats"])
        let repeated = """
            WEBVTT

            00:00:00.000 --> 00:00:02.000
            so we begin

            00:00:02.000 --> 00:00:04.000
            so we begin
            with boats
            """
        #expect(try paragraphs(repeated) == ["so we begin so we begin with boats"])
    }

    @Test func `are written without what players take for a place on the screen`() {
        var writer = CaptionWriter(.subRip)
        let cue = writer.cue(Caption(lines: ["{\\an8}Up here."], time: 0..<1))
        #expect(cue.hasSuffix("\n{＼an8}Up here.\n\n"))
    }

    @Test func `come back from what the program writes`() throws {
        let lines = [["Walk from C --> D,", "and <i>stay</i>."], ["\"Yes\" & no; 1 < 2."]]
        let written: [(CaptionWriter.Format, String)] = [
            (.webVTT, "Walk from C --> D, and <i>stay</i>. \"Yes\" & no; 1 < 2."),
            (.subRip, "Walk from C → D, and ‹i›stay‹/i›. \"Yes\" & no; 1 < 2."),
        ]
        for (format, said) in written {
            var writer = CaptionWriter(format)
            var file = writer.head
            for (index, lines) in lines.enumerated() {
                file += writer.cue(Caption(lines: lines, time: Double(index)..<Double(index) + 1))
            }
            #expect(try paragraphs(file) == [said])
        }
    }

    @Test(arguments: [
        ["1", "\n", "00:00:01,000 --> 00:00:02,000\nHel", "lo.\n"], ["WEB", "VTT\n\n00:01.000 --> 00:02.000\nHello."],
        ["Hello."], ["\n", "Hello."],
    ])
    func `are told from other texts as they arrive`(pieces: [String]) async throws {
        let source = CaptionTextSource(of: Pieces(pieces))
        var text = ""
        while let piece = try await source.next() {
            #expect(!piece.isEmpty)
            text += piece
        }
        #expect(text.filter { !$0.isWhitespace } == "Hello.")
        #expect(try await source.next() == nil)
    }

    @Test(arguments: ["", "12", "WEBVT", "1\n2\n3", "Item 1\n00:00:01,000 --> 00:00:02,000"])
    func `another text stays as it is`(text: String) async throws {
        let source = CaptionTextSource(of: Pieces(text.map { String($0) }))
        var given = ""
        while let piece = try await source.next() { given += piece }
        #expect(given == text)
    }

    @Test(arguments: [
        [
            ("1\n", false), ("00:00:01,000 --> 00:00:02,000\nHello", false),
            (".\n\n2\n00:00:03,000 --> 00:00:04,000\n", true),
        ],
        [("1", false), ("2 boats.", true)],
    ])
    func `are ready when there are words of them`(pieces: [(text: String, isReady: Bool)]) async throws {
        let arriving = ArrivingPieces(pieces.map(\.text))
        let source = CaptionTextSource(of: arriving)
        for piece in pieces {
            #expect(try await !source.isReady(within: 0))
            await arriving.arrive()
            #expect(try await source.isReady(within: 0) == piece.isReady)
        }
        #expect(try await source.next()?.isEmpty == false)
        #expect(try await !source.isReady(within: 0))
        await arriving.arrive()
        #expect(try await source.isReady(within: 0))
        #expect(try await source.next() == nil)
    }
}

/// A text whose next piece, or end, arrives when a test says so.
private actor ArrivingPieces: TextSource {
    private var pieces: [String]
    private var arrived = 0
    let length: Int? = nil

    init(_ pieces: [String]) {
        self.pieces = pieces
    }

    func arrive() { arrived += 1 }

    func isReady(within seconds: Double) -> Bool { arrived > 0 }

    func next() -> String? {
        arrived -= 1
        return pieces.isEmpty ? nil : pieces.removeFirst()
    }
}

/// A text that arrives in pieces.
private actor Pieces: TextSource {
    private var pieces: [String]
    let length: Int? = nil

    init(_ pieces: [String]) {
        self.pieces = pieces
    }

    func next() -> String? {
        pieces.isEmpty ? nil : pieces.removeFirst()
    }
}
