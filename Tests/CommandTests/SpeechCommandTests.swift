import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speeches", .endsInTime)
struct SpeechCommandTests {
    private struct Speech: Decodable {
        let id: String
        let title: String
        let language: String
        let characters: Int
        let text: String?
        let excerpt: String?
    }

    private func decoded<Value: Decodable>(_ outcome: Program.Outcome) throws -> Value {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Value.self, from: outcome.output)
    }

    @Test("SP1: keeps, lists, shows, changes and deletes speeches")
    func speeches() async throws {
        try await LibraryHome.with { home in
            try home.folder.write("Dear all,\nwelcome.\n", to: "feast.txt")
            let first: Speech = try decoded(
                try await home.run(
                    "speeches",
                    "add",
                    "-f",
                    "feast.txt",
                    "--title",
                    "Feast",
                    "--language",
                    "en_gb",
                    "--json"
                )
            )
            #expect(first.title == "Feast" && first.language == "en-GB" && first.characters == 18)
            let second: Speech = try decoded(try await home.run("speeches", "add", "Tere! Kuidas läheb?", "--json"))
            #expect(second.title == "Tere! Kuidas läheb?")
            let list: [Speech] = try decoded(try await home.run("speeches", "--json"))
            #expect(list.map(\.id) == [second.id, first.id] && list.allSatisfy { $0.text == nil })
            #expect(list.map(\.excerpt) == ["Tere! Kuidas läheb?", "Dear all, welcome."] && second.excerpt == nil)

            let edited = try await home.run("speeches", "edit", "fea", "--title", "Banquet")
            #expect(edited.status == 0)
            #expect(edited.errors.contains("note: taken for \(first.id), whose name begins so"), "\(edited.errors)")
            let whole = try await home.run("speeches", "edit", "banquet", "--title", "Banquet")
            #expect(whole.status == 0 && !whole.errors.contains("note:"), "\(whole.errors)")
            let shown: Speech = try decoded(try await home.run("speeches", "show", "banquet", "--json"))
            #expect(shown.id == first.id && shown.text == "Dear all,\nwelcome.")
            #expect(try await home.run("practice", "--speech", "Banquet", "--plan").status == 0)
            let translated: Speech = try decoded(
                try await home.run("speeches", "edit", first.id, "--language", "et", "--json")
            )
            #expect(translated.id == first.id && translated.title == "Banquet" && translated.language == "et")
            struct Deleted: Decodable { let deleted: String }
            let deleted: Deleted = try decoded(
                try await home.run("speeches", "delete", second.id, "--yes", "--json")
            )
            #expect(deleted.deleted == second.id)
            #expect(try await home.run("speeches", "delete", first.id).status != 0, "nobody can be asked")
            let rest: [Speech] = try decoded(try await home.run("speeches", "list", "--json"))
            #expect(rest.map(\.id) == [first.id])
            #expect(try await home.run("speeches", "show", "Tere").status == 66)
        }
    }

    @Test("SP1: takes the language of a speech from its words, else from the profile's voice, unless it is given")
    func languages() async throws {
        try await LibraryHome.with { home in
            let estonian = "Tere, siin räägib eesti keel, ja kell on 9.05."
            let english = "The king fled to the sea, and nobody was there."
            for (arguments, language) in [
                ([estonian], "et"), ([english], "en-US"), (["Lorem Kowalski"], "en-US"),
                ([estonian, "--language", "fi"], "fi"),
            ] {
                let program = home.program(["speeches", "add", "--json"] + arguments)
                let speech: Speech = try decoded(try await program.run())
                #expect(speech.language == language, "\(arguments)")
            }
            try await home.succeed("profiles", "save", "Anna", "--voice", "espeak/et")
            try await home.succeed("profiles", "choose", "Anna")
            for (text, language) in [("Lorem Kowalski", "et"), (english, "en")] {
                let speech: Speech = try decoded(try await home.run("speeches", "add", text, "--json"))
                #expect(speech.language == language, "\(text)")
            }
            let refused = try await home.run("speeches", "add", english, "--language", "English")
            #expect(refused.status == 64 && refused.errors.contains("en-GB"), "\(refused.errors)")
        }
    }

    @Test("SP1: guesses how a file is written, and says so")
    func encodings() async throws {
        let text = "Le garçon a mangé une crêpe près de la fenêtre, à côté."
        let data = try #require(text.data(using: .isoLatin1))
        let note = "note: \(DocumentNotice.guessedEncoding("CP1252").message)"
        try await LibraryHome.with { home in
            try home.folder.write(data, to: "text.txt")
            for arguments in [
                ["speeches", "add", "-f", "text.txt", "--title", "One"], ["speeches", "edit", "One", "-f", "text.txt"],
                ["practice", "-f", "text.txt", "--plan"],
            ] {
                let outcome = try await home.program(arguments).run()
                #expect(outcome.status == 0 && outcome.errors.contains(note), "\(arguments): \(outcome.errors)")
            }
            let shown: Speech = try decoded(try await home.run("speeches", "show", "One", "--json"))
            #expect(shown.text == text)
        }
    }

    @Test("SP1: takes 10,000 characters and refuses one more, with the count")
    func longest() async throws {
        try await LibraryHome.with { home in
            try home.folder.write(String(repeating: "é", count: 10_000), to: "longest.txt")
            try home.folder.write(String(repeating: "é", count: 10_001), to: "longer.txt")
            try await home.succeed("speeches", "add", "-f", "longest.txt", "--title", "Longest")
            let refused = try await home.run("speeches", "add", "-f", "longer.txt")
            #expect(refused.status != 0 && refused.errors.contains("10,001") && refused.errors.contains("10,000"))
            let empty = try await home.run("speeches", "add", " ")
            #expect(empty.status == 65)
        }
    }
}
