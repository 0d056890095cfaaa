import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext library", .endsInTime)
struct LibraryTests {
    private struct Listing: Decodable {
        struct Item: Decodable {
            let id: String
            let name: String
            let duration: Double
            let isFavorite: Bool
            let words: Int
            let origin: String
            let narration: Narration
        }

        struct Narration: Decodable {
            let voice: String
        }

        let items: [Item]
        let total: Int
    }

    private let folder = TemporaryFolder()

    private func run(_ arguments: String..., input: String = "") async throws -> Program.Outcome {
        var program = Program(arguments, in: folder)
        program.input = Data(input.utf8)
        return try await program.run()
    }

    private func list(_ options: String...) async throws -> Listing {
        let outcome = try await Program(["library", "list", "--json"] + options, in: folder).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Listing.self, from: outcome.output)
    }

    @Test("keeps what is spoken, with its name, text and length")
    func saves() async throws {
        let saved = try await run("speak", "The train leaves at dawn. Turn left here.", "--save", "--name", "Travel")
        #expect(saved.status == 0, "\(saved.errors)")
        let listing = try await list()
        #expect(listing.total == 1)
        let item = try #require(listing.items.first)
        #expect(item.name == "Travel")
        #expect(item.words == 8)
        #expect(item.duration > 1.5)
        #expect(item.origin == "narrated" && item.narration.voice == "espeak/en-US")
        let text = try await run("library", "text", "travel")
        #expect(text.text == "The train leaves at dawn. Turn left here.\n")
    }

    @Test(
        "keeps a name that no file can have, and exports under as much of it as one can",
        arguments: [("夜", 200), ("Ж", 200), ("नमस्ते", 33), ("👨‍👩‍👧‍👦", 28)]
    )
    func longNames(_ word: String, _ count: Int) async throws {
        let name = String(repeating: word, count: count)
        let saved = try await run("speak", "Good night.", "--save", "--name", name)
        #expect(saved.status == 0, "\(saved.errors)")
        let item = try #require(try await list().items.first)
        #expect(item.name == name)
        let exported = try await run("library", "export", item.id, "-o", "out/")
        #expect(exported.status == 0, "\(exported.errors)")
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder("out")).first)
        #expect(file.utf8.count <= 255 && file.hasSuffix(".wav") && name.hasPrefix(file.dropLast(".wav".count)))
    }

    @Test("says how much speech of documents is remembered, and forgets it")
    func cache() async throws {
        struct Remembered: Decodable {
            let bytes: Int
            let cleared: Bool
        }
        func remembered(_ options: String...) async throws -> Remembered {
            let outcome = try await Program(["library", "cache", "--json"] + options, in: folder).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try JSONDecoder().decode(Remembered.self, from: outcome.output)
        }
        #expect(try await run("library", "cache").text == "0 bytes of speech remembered\n")
        try folder.write("Some words that are remembered.", to: "story.txt")
        #expect(try await run("import", "story.txt").status == 0)
        #expect(try await run("speak", "--document", "story", "--save").status == 0)
        let before = try await remembered()
        #expect(before.bytes > 0 && !before.cleared)
        #expect(try await remembered("--clear").bytes == before.bytes)
        #expect(try await remembered().bytes == 0)
    }

    @Test("takes the first words as a name, and a profile as the voice")
    func names() async throws {
        #expect(try await run("profiles", "save", "Slow", "--voice", "en-gb", "--speed", "0.7").status == 0)
        #expect(try await run("profiles", "choose", "slow").status == 0)
        let listed = try await run("profiles", "list", "--json")
        let profiles = try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]]
        let slow = try #require(profiles?.first { $0["name"] as? String == "Slow" })
        #expect(slow["speed"] as? Double == 0.7 && slow["isChosen"] as? Bool == true)
        #expect((slow["voice"] as? String)?.hasPrefix("espeak/") == true && slow["voiceName"] is String)
        #expect(try await run("speak", "--save", input: "Good morning, everybody in the house.").status == 0)
        let item = try #require(try await list().items.first)
        #expect(item.name == "Good morning, everybody in the house.")
        #expect(item.narration.voice == "espeak/en-GB")
        let deleted = try await run("profiles", "delete", "slow", "--yes")
        #expect(deleted.status == 0)
        #expect(deleted.errors.contains("the default profile is chosen now"), "\(deleted.errors)")
    }

    @Test("says which profile was changed when its name was written with other capitals")
    func profileOfOtherCapitals() async throws {
        for (name, isTold) in [("P ü", false), ("P ü", false), ("p Ü", true)] {
            let saved = try await run("profiles", "save", name, "--speed", "0.7")
            #expect(saved.status == 0 && saved.errors.contains("“P ü” was changed") == isTold, "\(saved.errors)")
        }
    }

    @Test("finds words in texts with the second they are spoken")
    func searches() async throws {
        #expect(
            try await run("speak", "The train leaves at dawn. Turn left here.", "--save", "--name", "A").status == 0
        )
        #expect(try await run("speak", "Nothing to see.", "--save", "--name", "B").status == 0)
        let found = try await run("library", "search", "turn", "lef", "--json")
        let hits = try #require(try JSONSerialization.jsonObject(with: found.output) as? [[String: Any]])
        #expect(hits.count == 1)
        let place = try #require(hits.first?["place"] as? [String: Any])
        let from = try #require(place["from"] as? Int)
        let to = try #require(place["to"] as? Int)
        let excerpt = Array(try #require(place["excerpt"] as? String).utf16)
        #expect(String(decoding: excerpt[from..<to], as: UTF16.self) == "Turn left")
        let seconds = try #require(place["seconds"] as? Double)
        #expect((1.2...3).contains(seconds))
        #expect(try await run("speak", "Turn left again.", "--save", "--name", "C").status == 0)
        let cut = try await run("library", "search", "turn", "--limit", "1")
        #expect(cut.status == 0 && cut.errors.contains("1 more"), "\(cut.errors)")
        #expect(try await run("library", "search", "turn", "--offset", "2").errors.contains("nothing more found"))
    }

    @Test("replaces no file of the person's that is called as the text or the captions of an exported sound")
    func neighbors() async throws {
        let home = try LibraryHome()
        try await home.succeed("speak", "Some words.", "--save", "--name", "Talk")
        let neighbors = [
            ("talk.txt", ["--text"]), ("talk.vtt", ["--captions", "vtt"]), ("talk.md", ["--transcript", "md"]),
        ]
        for (file, options) in neighbors {
            try home.folder.write("mine", to: file)
            let export = ["library", "export", "Talk", "-o", "talk.wav"] + options
            let outcome = try await home.program(export).run()
            #expect(outcome.status == 64 && outcome.errors.contains("\(file): "), "\(outcome.errors)")
            #expect(try home.folder.text(of: file) == "mine")
            #expect(!FileManager.default.fileExists(atPath: home.folder("talk.wav")))
        }
        for _ in 0..<2 { try await home.succeed("library", "export", "Talk", "-o", "other.wav", "--text") }
        #expect(try home.folder.text(of: "other.txt") == "Some words.")
    }

    @Test(
        "replaces no exported sound by its own text or captions",
        arguments: [["talk.txt", "--text"], ["talk.vtt", "--captions", "vtt"], ["TALK.TXT", "--text"]]
    )
    func overItself(_ options: [String]) async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        let outcome = try await home.program(["library", "export", "A", "--format", "wav", "-o"] + options).run()
        #expect(outcome.status == 64 && outcome.errors.contains("the same file"), "\(outcome.errors)")
        #expect(!home.folder.names.contains { $0.lowercased().hasPrefix("talk") })
    }

    @Test("renames, marks and deletes")
    func changes() async throws {
        #expect(try await run("speak", "One.", "--save", "--name", "First").status == 0)
        #expect(try await run("speak", "Two.", "--save", "--name", "Second").status == 0)
        let begun = try await run("library", "rename", "Fir", "Renamed")
        #expect(begun.status == 0 && begun.errors.contains("whose name begins so"), "\(begun.errors)")
        for change in [["favorite", "Sec"], ["favorite", "--remove", "Sec"]] {
            #expect(try await Program(["library"] + change, in: folder).run().errors.contains("whose name begins so"))
        }
        let whole = try await run("library", "favorite", "Renamed")
        #expect(whole.status == 0 && !whole.errors.contains("note:"), "\(whole.errors)")
        let favorites = try await list("--favorites")
        #expect(favorites.items.map(\.name) == ["Renamed"])
        for command in [["queue", "add"], ["library", "delete", "--yes"], ["play"]] {
            let unknown = try await Program(command + ["Renamed", "Third", "Second"], in: folder).run()
            #expect(unknown.status == 66 && unknown.errors.contains("error: name 2: There is no such recording"))
            #expect(try await list().items.count == 2)
        }
        for command in [["queue", "add"], ["library", "delete", "--yes"]] {
            let unknown = try await Program(command + ["Renamed", "Third", "Second", "--json"], in: folder).run()
            #expect(unknown.code == "library.item-not-found")
            let answer = try JSONSerialization.jsonObject(with: unknown.output) as? [String: [String: Any]]
            #expect(answer?["error"]?["name"] as? String == "Third", "\(unknown.text)")
        }
        let alone = try await run("library", "delete", "Third", "--yes", "--json")
        #expect(!alone.text.contains("\"name\""), "\(alone.text)")
        let unknown = try await run("library", "delete", "Third", "--yes")
        #expect(unknown.errors.contains("error: There is no such recording"), "\(unknown.errors)")
        #expect(try await run("queue", "add", "Renamed", "Second").status == 0)

        #expect(try await run("queue", "remove", "--json", "--", "\(Int.min)").code == "queue.entry-not-found")
        #expect(try await run("queue", "move", "--json", "--", "\(Int.min)", "1").code == "queue.entry-not-found")
        #expect(try await run("queue", "move", "--", "2", "\(Int.min)").status == 64, "the first is 1")

        let refused = try await run("library", "delete", "Renamed")
        #expect(refused.status == 1, "nobody was there to be asked")
        #expect(try await run("library", "delete", "Renamed", "--yes").status == 0)
        #expect(try await list().items.map(\.name) == ["Second"])
        #expect(try await run("queue", "clear").status == 1, "nobody was there to be asked")
        let queue = try await run("queue", "list", "--json")
        let entries = try #require(try JSONSerialization.jsonObject(with: queue.output) as? [[String: Any]])
        #expect(entries.count == 1)
        #expect(entries[0]["number"] as? Int == 1 && entries[0]["isCurrent"] as? Bool == false)
        #expect(entries[0]["id"] is String && (entries[0]["item"] as? [String: Any])?["name"] as? String == "Second")
        #expect(try await run("queue", "clear", "--yes").status == 0)
        #expect(try await run("queue", "clear").status == 0, "there is nothing to lose")
    }

    @Test("refuses numbers that the queue has not", arguments: ["0", "2", "\(Int.min)", "\(Int.max)"])
    func queueNumbers(_ number: String) async throws {
        #expect(try await run("speak", "One.", "--save", "--name", "First").status == 0)
        #expect(try await run("queue", "add", "First").status == 0)
        let removed = try await run("queue", "remove", "--json", "--", number)
        #expect(removed.status == 66 && removed.text.contains("queue.entry-not-found"), "\(removed.text)")
        let several = try await run("queue", "remove", "--json", "--", "1", number)
        #expect(several.status == 66 && several.text.contains(#""name" : "\#(number)""#), "\(several.text)")
        #expect(try await run("queue", "remove", "--", "1", number).errors.contains("error: entry \(number): "))
        let moved = try await run("queue", "move", "--json", "--", number, "1")
        #expect(moved.status == 66, "\(moved.text)")
        let to = try await run("queue", "move", "--", "1", number)
        #expect(to.status == (number.hasPrefix("-") || number == "0" ? 64 : 0), "a place beyond the end is the last")
    }

    @Test(
        "refuses a bad name and keeps the old one",
        arguments: ["", "two\nlines", String(repeating: "n", count: 201)]
    )
    func badNames(_ name: String) async throws {
        #expect(try await run("speak", "One.", "--save", "--name", "Good").status == 0)
        let outcome = try await run("library", "rename", "Good", name, "--json")
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("library.invalid-name"))
        #expect(try await list().items.map(\.name) == ["Good"])
    }

    @Test("sorts and pages")
    func sorts() async throws {
        for (name, text) in [("b", "A much longer sentence than the others."), ("C", "Short."), ("a", "Not so short.")]
        {
            #expect(try await run("speak", text, "--save", "--name", name).status == 0)
        }
        #expect(try await list("--sort", "name").items.map(\.name) == ["a", "b", "C"])
        #expect(try await list("--sort", "length").items.map(\.name) == ["b", "a", "C"])
        let page = try await list("--sort", "name", "--offset", "1", "--limit", "1")
        #expect(page.items.map(\.name) == ["b"])
        #expect(page.total == 3)
    }

    @Test("deletes those that cannot be read, or those that are named")
    func deleteUnreadable() async throws {
        #expect(try await run("speak", "Something.", "--save", "--name", "A").status == 0)
        let none = try await run("library", "delete", "--unreadable")
        #expect(none.status == 0 && none.errors.contains("every recording can be read"), "\(none.errors)")
        #expect(try await run("library", "delete", "--unreadable", "A", "--yes").status == 64)
        #expect(try await run("library", "delete", "--yes").status == 64)
        #expect(try await run("library", "show", "A").status == 0)
    }

    @Test("keeps the texts in a history of 25")
    func history() async throws {
        for number in 1...3 { #expect(try await run("speak", "Text \(number).", "--save").status == 0) }
        let listed = try await run("history", "list", "--json")
        let list = try JSONSerialization.jsonObject(with: listed.output) as? [String: Any]
        #expect((list?["unreadable"] as? [Any])?.isEmpty == true)
        #expect(list?["limit"] as? Int == 25)
        let entries = try #require(list?["entries"] as? [[String: Any]])
        #expect(entries.compactMap { $0["text"] as? String } == ["Text 3.", "Text 2.", "Text 1."])
        #expect(entries.allSatisfy { $0["words"] is Int && $0["spoken"] is String })
        let newest = try #require(entries.first?["id"] as? Int)
        #expect(try await run("history", "show", String(newest)).text == "Text 3.\n")
        #expect(try await run("history", "delete", String(newest)).status == 0)
        #expect(try await run("history", "clear", "--yes").status == 0)
        #expect(try await run("history", "list").errors.contains("no texts"))
    }

    private struct ListedSetting: Decodable {
        let name: String
        let value: String
        let standard: String
        let kind: String
        let range: [Double]?
    }

    @Test("changes settings within their ranges")
    func settings() async throws {
        #expect(try await run("settings", "set", "playback.step", "30").status == 0)
        #expect(try await run("settings", "get", "playback.step").text == "30\n")
        let refused = try await run("settings", "set", "playback.step", "0")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("a number from 1 to 600, in seconds"))
        #expect(try await run("settings", "get", "playback.step").text == "30\n")
        let listed = try await run("settings", "list", "--json")
        let rows = try JSONDecoder().decode([ListedSetting].self, from: listed.output)
        let step = try #require(rows.first { $0.name == "playback.step" })
        #expect(step.value == "30" && step.standard == "15" && step.kind == "number" && step.range == [1, 600])
        #expect(try await run("settings", "reset", "--yes").status == 0)
        #expect(try await run("settings", "get", "playback.step").text == "15\n")
        #expect(try await run("settings", "get", "playback.stop").status == 64)
    }

    @Test("shows the lines that go out of the dictionary, and names one that is wrong")
    func dictionary() async throws {
        let name = "speech.dictionary"
        #expect(try await !run("settings", "set", name, "GIF = jif\nSQL = sequel").errors.contains("replaced"))
        let replaced = try await run("settings", "set", name, "  SQL = sequel\ncat = dog")
        #expect(replaced.status == 0)
        #expect(replaced.errors.contains("    GIF = jif\n") && !replaced.errors.contains("SQL"), "\(replaced.errors)")
        let wrong = try await run("settings", "set", name, "GIF = jif\ncat")
        #expect(wrong.status == 65 && wrong.errors.contains("ine 2"), "\(wrong.errors)")
        #expect(try await run("settings", "get", name).text.contains("cat = dog"), "it stays")
        #expect(try await run("settings", "reset", name).errors.contains("cat = dog"))
    }
}
