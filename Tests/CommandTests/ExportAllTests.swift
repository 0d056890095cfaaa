import EchoTextTesting
import Foundation
import Testing

@Suite("echotext export-all", .endsInTime)
struct ExportAllTests {
    private struct Index: Decodable {
        struct Recording: Decodable {
            struct Item: Decodable { let name: String }

            let item: Item
            let sound: String?
            let text: String?
            let captions: String?
            let timings: String?
            let failure: String?
        }

        let recordings: [Recording]
        let files: [String: String]
    }

    private func index(of folder: String) throws -> Index {
        try JSONDecoder().decode(Index.self, from: Data(contentsOf: URL(filePath: "\(folder)/index.json")))
    }

    @Test("writes everything in open formats, and what is damaged stops nothing else")
    func all() async throws {
        let home = try LibraryHome()
        try await home.succeed("speak", "The first words.", "--save", "--name", "a/b: <i>\"First\"</i>")
        let damaged = try #require(home.blobs.first)
        try await home.succeed("speak", "The second words.", "--save", "--name", "Second")
        try await home.succeed("queue", "add", "Second")
        try await home.succeed("profiles", "save", "Slow", "--speed", "0.7")
        try FileManager.default.removeItem(atPath: damaged)
        let target = home.folder("all")
        let outcome = try await home.run("export-all", target, "--format", "flac")
        #expect(outcome.status == 76, "\(outcome.errors)")
        #expect(outcome.errors.contains("2 recordings and 0 documents exported"))
        #expect(outcome.errors.contains("Not whole, because damaged or missing: 1 recording and 0 documents"))
        #expect(outcome.errors.contains("not protected any more"))

        let index = try index(of: target)
        #expect(index.recordings.map(\.item.name) == ["a/b: <i>\"First\"</i>", "Second"])
        let (first, second) = (index.recordings[0], index.recordings[1])
        #expect(first.failure == "vault.content-missing")
        #expect(first.sound == nil)
        #expect(second.failure == nil)
        for file in [
            first.text, first.captions, first.timings, second.sound, second.text, second.captions, second.timings,
        ] {
            let path = "\(target)/\(try #require(file))"
            #expect(FileManager.default.contents(atPath: path)?.isEmpty == false)
        }
        #expect(try String(contentsOfFile: "\(target)/\(second.text ?? "")", encoding: .utf8) == "The second words.")
        #expect(try String(contentsOfFile: "\(target)/\(second.captions ?? "")", encoding: .utf8).hasPrefix("WEBVTT"))
        let sound = try Data(contentsOf: URL(filePath: "\(target)/\(second.sound ?? "")"))
        #expect(sound.starts(with: Data("fLaC".utf8)))
        #expect(
            Set(index.files.keys) == [
                "history", "profiles", "queue", "drafts", "settings", "unfinished", "batch", "connections", "speeches",
                "practice", "transcriptions",
            ]
        )
        for file in index.files.values {
            let table = try Data(contentsOf: URL(filePath: "\(target)/\(file)"))
            _ = try JSONSerialization.jsonObject(with: table)
        }
        #expect(try String(contentsOfFile: "\(target)/profiles.json", encoding: .utf8).contains("\"Slow\""))
        #expect(try String(contentsOfFile: "\(target)/history.json", encoding: .utf8).contains("The second words."))
        let page = try String(contentsOfFile: "\(target)/index.html", encoding: .utf8)
        #expect(page.contains("only a backup can be put back as a library"), "it says what it is not")
        #expect(page.contains("a/b: &lt;i&gt;&quot;First&quot;&lt;/i&gt;"))
        #expect(!page.contains("<i>"))
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o700, "it is for its owner alone")
    }

    @Test("writes the documents as they were given")
    func documents() async throws {
        let home = try LibraryHome()
        for name in ["Same.txt", "same.md"] {
            try home.folder.write("# \(name)\n\nText of it.", to: name)
            try await home.succeed("import", name, "--name", "Same")
        }
        try await home.succeed("export-all", "all")
        let text = try home.folder.text(of: "all/index.json")
        let index = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let documents = try #require(index["documents"] as? [[String: Any]])
        let files = documents.compactMap { $0["file"] as? String }
        #expect(files.count == 2 && Set(files.map { $0.lowercased() }).count == 2)
        let contents = try files.map { try home.folder.text(of: "all/\($0)") }
        #expect(Set(contents) == ["# Same.txt\n\nText of it.", "# same.md\n\nText of it."])
        #expect(try home.folder.text(of: "all/index.html").contains("<h2>Documents</h2>"))
    }

    @Test("counts the documents, says that one is damaged, and writes the others")
    func damagedDocument() async throws {
        let home = try LibraryHome()
        try home.folder.write("The first text.", to: "first.txt")
        try home.folder.write("The second text.", to: "second.txt")
        try await home.succeed("import", "first.txt")
        let blobs = home.blobs
        #expect(!blobs.isEmpty)
        try await home.succeed("import", "second.txt")
        for blob in blobs { try FileManager.default.removeItem(atPath: blob) }
        let outcome = try await home.run("export-all", "all", "--json")
        #expect(outcome.status == 76, "\(outcome.errors)")
        #expect(outcome.errors.contains("0 recordings and 2 documents exported"))
        #expect(outcome.errors.contains("Not whole, because damaged or missing: 0 recordings and 1 document;"))
        let index = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let documents = try #require(index["documents"] as? [[String: Any]])
        #expect(documents.compactMap { $0["failure"] as? String } == ["vault.content-missing"])
        let written = try #require(documents.compactMap { $0["file"] as? String }.first)
        #expect(try home.folder.text(of: "all/\(written)") == "The second text.")
        let help = try await home.succeed("export-all", "--help")
        #expect(help.contains("each document's file"))
    }

    @Test(
        "leaves a folder that says that it is unfinished when it is killed, and names what it finds there later",
        .enabled(if: Program.hasTracer, "needs the package strace")
    )
    func killed() async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        var program = home.program(["export-all", "all"])
        let note = "all/UNFINISHED.txt"
        // Killed at the last moment: it takes the note away.
        program.tracer = ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-P", note]
        // Not every machine has both calls.
        let calls = "?unlink,?unlinkat"
        program.tracer += ["-e", "trace=\(calls)", "-e", "inject=\(calls):signal=KILL"]
        #expect(try await program.run().status == 128 + SIGKILL)
        #expect(try home.folder.text(of: note).contains("Not everything is in this folder"))
        let again = try await home.run("export-all", "all")
        #expect(again.status == 73 && again.errors.contains("an export that was cut off"), "\(again.errors)")
        try await home.succeed("export-all", "whole")
        #expect(!FileManager.default.fileExists(atPath: home.folder("whole/UNFINISHED.txt")))
    }

    @Test("writes into no folder that has something in it, and into no file")
    func occupied() async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        try FileManager.default.createDirectory(atPath: home.folder("full"), withIntermediateDirectories: false)
        try home.folder.write("mine", to: "full/mine")
        try home.folder.write("mine", to: "file")
        for target in ["full", "file", "missing/below"] {
            #expect(try await home.run("export-all", target).status == 73, "\(target)")
        }
        #expect(try home.folder.text(of: "full/mine") == "mine")
        #expect(try home.folder.text(of: "file") == "mine")
        try FileManager.default.createDirectory(atPath: home.folder("empty"), withIntermediateDirectories: false)
        try await home.succeed("export-all", "empty")
        #expect(try index(of: home.folder("empty")).recordings.count == 1)
    }
}
