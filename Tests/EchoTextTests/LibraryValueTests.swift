import EchoText
import Foundation
import Testing

@Suite("Names")
struct ItemNameTests {
    @Test(
        "are kept as they are given",
        arguments: ["A", "Ünï “quoted” 😀", "👩\u{200D}🚀", "a/b\\c", "שלום", String(repeating: "x", count: 200)]
    )
    func good(text: String) throws {
        #expect(try ItemName("  \(text)\n").text == text)
        #expect(try JSONDecoder().decode(ItemName.self, from: JSONEncoder().encode(ItemName(text))).text == text)
    }

    @Test(
        "that are none are refused",
        arguments: [
            ("", .empty), (" \n\t", .empty), (String(repeating: "x", count: 201), .tooLong(limit: 200)),
            ("a\nb", .controlCharacter), ("a\0b", .controlCharacter), ("a\u{202E}b", .controlCharacter),
            ("a\u{2029}b", .controlCharacter), ("a\u{1B}[31m", .controlCharacter),
            ("\u{200B}", .empty), ("\u{2060}\u{FE0F}", .empty), ("\u{3164} \u{2800}", .empty), ("\u{E0041}", .empty),
        ] as [(String, LibraryError.NameProblem)]
    )
    func bad(text: String, problem: LibraryError.NameProblem) {
        #expect(throws: LibraryError.invalidName(problem)) { try ItemName(text) }
    }

    @Test(
        "that show nothing are still read where earlier versions stored them",
        arguments: ["\u{2060}\u{FE0F}", "\u{2800}"]
    )
    func stored(text: String) throws {
        #expect(try ItemName(stored: text).text == text)
        #expect(try JSONDecoder().decode(ItemName.self, from: JSONEncoder().encode(text)).text == text)
        #expect(throws: LibraryError.invalidName(.controlCharacter)) { try ItemName(stored: "a\u{202E}b") }
    }

    @Test("come from a text's first words")
    func firstWords() {
        #expect(ItemName(firstWordsOf: "One two\u{7} three. ")?.text == "One two three.")
        let walk = "The old harbour master walked along the pier."
        #expect(ItemName(firstWordsOf: "\(walk) He counted the boats.")?.text == String(walk.dropLast()))
        #expect(ItemName(firstWordsOf: "\(walk) He sat.")?.text == "\(walk) He sat.", "it is not cut")
        let question = "Why did he walk along the pier?"
        #expect(ItemName(firstWordsOf: "\(question) Nobody in the whole harbour knew it.")?.text == question)
        let street = "In the long evening the doctor went to St. Mary's Street and stayed"
        #expect(ItemName(firstWordsOf: street)?.text == "In the long evening the doctor went to St. Mary's Street and")
        let professor = "Yesterday evening we met Prof. Adamson at the harbour and"
        #expect(ItemName(firstWordsOf: "\(professor) stayed")?.text == professor)
        #expect(ItemName(firstWordsOf: "* * *\n\nFirst line\nSecond line")?.text == "First line")
        #expect(ItemName(firstWordsOf: "When the tide comes in, — \nit goes out")?.text == "When the tide comes in")
        #expect(ItemName(firstWordsOf: "## The harbour\n\nIt was quiet.")?.text == "The harbour")
        #expect(ItemName(firstWordsOf: "#1 of many")?.text == "#1 of many")
        #expect(ItemName(firstWordsOf: "* * *")?.text == "* * *")
        #expect(ItemName(firstWordsOf: "- , -") == nil)
        #expect(ItemName(firstWordsOf: "5 * 3 * 2 of #blue_and_green_ -1")?.text == "5 * 3 * 2 of #blue_and_green_ -1")
        #expect(ItemName(firstWordsOf: String(repeating: "word ", count: 50))?.text.count == 59)
        #expect(ItemName(firstWordsOf: String(repeating: "x", count: 500))?.text.count == 60)
        #expect(ItemName(firstWordsOf: " \n\0") == nil)
    }

    @Test("are cut between characters, however many scalars these have")
    func characters() throws {
        func family(_ count: Int) -> String { String(repeating: "👨‍👩‍👧‍👦", count: count) }
        #expect(ItemName(firstWordsOf: family(40))?.text == family(28))
        #expect(ItemName(fileName: "\(family(40)).txt")?.text == family(28))
        let words = try #require(ItemName(firstWordsOf: "\(family(10)) \(family(10)) \(family(10))"))
        #expect(words.text == "\(family(10)) \(family(10))")
        let part = try ItemName(family(28)).with(part: family(20))
        #expect(part.text == "\(family(14)) – \(family(14))")
        let greeting = try #require(ItemName(firstWordsOf: String(repeating: "नमस्ते ", count: 60)))
        #expect(greeting.text.split(separator: " ").allSatisfy { $0 == "नमस्ते" })
    }

    @Test(
        "that texts give themselves are without Markdown's marks",
        arguments: [
            ("# Chapter 1\n\nIt was a dark night.", "Chapter 1"), ("## The *second* part ##", "The second part"),
            ("> - **Bold** and `code`, ~~gone~~", "Bold and code, gone"),
            ("See [the manual](https://example.org/a), ![a map](map.png)", "See the manual, a map"),
            ("* One item", "One item"), ("***Both***", "Both"), ("C# and F#", "C# and F#"),
        ]
    )
    func markdown(_ text: String, _ name: String) {
        #expect(ItemName(firstWordsOf: text)?.text == name)
    }

    @Test("are ordered without capitals")
    func order() {
        let names: [ItemName] = ["b", "Z", "É", "a", "e", "ez", "A2"]
        #expect(names.sorted { $0.sortKey < $1.sortKey }.map(\.text).first == "a")
        #expect(("Zoë" as ItemName).sortKey == ("ZOË" as ItemName).sortKey)
    }
}

@Suite("Search words")
struct SearchWordsTests {
    @Test("are runs of letters and digits, folded")
    func words() {
        #expect(SearchWords("Élan, 3rd-RATE!")?.words == ["elan", "3rd", "rate"])
        for nothing in ["", "  ", "…—😀\"*", "\0"] { #expect(SearchWords(nothing) == nil) }
    }

    @Test("stand where they follow one another, else where the first of them is")
    func places() {
        let text = "one 😀 two; one three, two three"
        #expect(SearchWords("two thr")?.firstMatch(in: text) == 23..<32)
        #expect(SearchWords("three one")?.firstMatch(in: text) == 0..<3)
        #expect(SearchWords("TW")?.firstMatch(in: text) == 7..<10)
        #expect(SearchWords("four")?.firstMatch(in: text) == nil)
    }
}

@Suite("Settings")
struct SettingTests {
    @Test("have defaults that they take themselves, and names of their own")
    func defaults() throws {
        for setting in SettingsCatalogue.all {
            #expect(try setting.checked(setting.standardText) == setting.standardText)
        }
        #expect(Set(SettingsCatalogue.all.map(\.name)).count == SettingsCatalogue.all.count)
    }

    @Test("keep several formats of texts, each once, with spaces between them, and no others")
    func severalFormats() throws {
        for formats in ["", "srt", "txt vtt json"] {
            #expect(try SettingsCatalogue.exportBeside.checked(formats) == formats)
        }
        for formats in ["srt doc", "srt srt", "srt  txt", "srt ", " "] {
            #expect(throws: LibraryError.self) { try SettingsCatalogue.exportBeside.checked(formats) }
        }
    }

    @Test(
        "refuse what is not allowed",
        arguments: [
            ("playback.step", "0"), ("playback.step", "nan"), ("playback.step", ""), ("playback.loop", "maybe"),
            ("vault.lock-after", "1.5"), ("vault.lock-after", "-1"), ("speech.sentence-pause", "1e9"),
        ]
    )
    func refused(name: String, text: String) throws {
        let setting = try SettingsCatalogue.setting(called: name)
        #expect(throws: LibraryError.invalidSetting(name: name, allowed: setting.allowed)) { try setting.checked(text) }
    }

    @Test("have their default where a value is stored that is no longer allowed")
    func stale() {
        let stored = ["playback.step": "0", "playback.loop": "on"]
        #expect(SettingsCatalogue.step.value(in: stored) == SettingsCatalogue.step.standard)
        #expect(SettingsCatalogue.step.text(in: stored) == SettingsCatalogue.step.standardText)
        #expect(SettingsCatalogue.loops.text(in: stored) == "on")
        #expect(SettingsCatalogue.theme.text(in: stored) == SettingsCatalogue.theme.standardText)
    }

    @Test("are listed in Documentation/Settings.md")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Documentation/Settings.md"
        )
        #expect(try String(contentsOf: file.standardized, encoding: .utf8) == SettingsCatalogue.markdown)
    }
}
