import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext batch", .endsInTime)
struct BatchTests {
    private struct Report: Decodable {
        struct Entry: Decodable {
            struct Failure: Decodable {
                let code: String
                let message: String
            }

            let number: Int
            let name: String
            let state: String
            let failure: Failure?
        }

        let entries: [Entry]
        let done: Int
        let failed: Int
        let total: Int
    }

    private let home: LibraryHome

    init() throws {
        home = try LibraryHome()
    }

    private func batch(_ arguments: String...) async throws -> (status: Int32, report: Report) {
        let outcome = try await home.program(["batch"] + arguments + ["--json"]).run()
        return (outcome.status, try JSONDecoder().decode(Report.self, from: outcome.output))
    }

    private func importDocuments(_ texts: [(name: String, text: String)]) async throws {
        for (name, text) in texts {
            try home.folder.write(text, to: "\(name).txt")
            try await home.succeed("import", "\(name).txt")
        }
    }

    @Test("makes a recording of each document, names the one that is damaged, and says so")
    func resumes() async throws {
        var texts = (1...5).map { (name: "Book \($0)", text: "This is the text of book \($0). It is short.") }
        texts[2].text = "The third one. " + String(repeating: "It is much longer. ", count: 2_000)
        try await importDocuments(texts)
        // The longest sealed files are the third document's bytes and text.
        let sizes = try home.blobs.map { (path: $0, size: try FileManager.default.attributesOfItem(atPath: $0)[.size]) }
        let longest = sizes.sorted { ($0.size as? Int ?? 0) > ($1.size as? Int ?? 0) }.prefix(2)
        for file in longest { try Data(repeating: 1, count: 70_000).write(to: URL(filePath: file.path)) }
        let names = texts.map(\.name)
        let (status, report) = try await batch(names[0], names[1], names[2], names[3], names[4])
        #expect(status == 1)
        #expect(report.entries.map(\.name) == names)
        #expect(report.entries.map(\.state) == ["done", "done", "failed", "done", "done"])
        #expect(report.entries[2].failure?.code == "vault.content-damaged")
        #expect(report.entries[2].failure?.message.isEmpty == false)
        #expect(report.done == 4 && report.failed == 1 && report.total == 5)
        #expect(try await home.names() == ["Book 1", "Book 2", "Book 4", "Book 5"])
        #expect(try await batch().report.total == 5, "what became of the last batch is still reported")
    }

    @Test("says why one failed, and tries it again once that is repaired")
    func retries() async throws {
        let long = String(repeating: "It is much longer. ", count: 400)
        try await importDocuments([("First", "A first text."), ("Second", long)])
        let before = try home.blobs.map { (path: $0, bytes: try Data(contentsOf: URL(filePath: $0))) }
        let longest = before.sorted { $0.bytes.count > $1.bytes.count }.prefix(2)
        for file in longest { try Data(repeating: 1, count: 70_000).write(to: URL(filePath: file.path)) }
        let (status, report) = try await batch("First", "Second")
        #expect(status == 1 && report.entries.map(\.state) == ["done", "failed"])
        let reported = try await home.succeed("library", "jobs")
        let row = try #require(reported.split(separator: "\n").first { $0.contains("Second") })
        #expect(row.hasPrefix("batch") && row.contains("failed"))
        #expect(row.contains(try #require(report.entries[1].failure?.message.prefix(20))))
        let listed = try JSONDecoder().decode(
            [String: [Report.Entry]].self,
            from: Data(try await home.succeed("library", "jobs", "--json").utf8)
        )
        #expect(listed["jobs"]?.isEmpty == true)
        #expect(listed["batch"]?.map(\.state) == ["failed"])
        #expect(listed["batch"]?.first?.failure?.code == report.entries[1].failure?.code)
        for file in longest { try file.bytes.write(to: URL(filePath: file.path)) }
        let again = try await batch("--retry")
        #expect(again.status == 0 && again.report.entries.map(\.state) == ["done", "done"])
        #expect(try await home.names() == ["First", "Second"])
        #expect(!(try await home.succeed("library", "jobs").contains("Second")), "it is a recording now")
        let refused = try await home.run("batch", "--retry", "First")
        #expect(refused.status == 64 && refused.errors.contains("take no documents"))
    }

    @Test("tries one of those that failed again, and forgets another, by their numbers")
    func retriesOne() async throws {
        try await importDocuments([("First", "A first text."), ("Second", "A second text.")])
        let whole = try home.blobs.map { (path: $0, bytes: try Data(contentsOf: URL(filePath: $0))) }
        for file in whole { try Data(repeating: 1, count: 70_000).write(to: URL(filePath: file.path)) }
        #expect(try await batch("First", "Second").report.entries.map(\.state) == ["failed", "failed"])
        for file in whole { try file.bytes.write(to: URL(filePath: file.path)) }
        let again = try await batch("--retry", "--only", "2")
        #expect(again.report.entries.map(\.state) == ["failed", "done"])
        #expect(try await home.names() == ["Second"])
        for wrong in [
            ["--retry", "--only", "2"], ["--retry", "--only", "9"], ["--retry", "--only=\(Int.min)"],
            ["--cancel", "--only", "0"], ["--cancel", "--only=\(Int.min)"],
        ] {
            let refused = try await home.program(["batch", "--json"] + wrong).run()
            #expect(refused.text.contains("batch.entry-not-found"), "\(wrong)")
        }
        #expect(try await home.run("batch", "--only", "1").status == 64)
        let rest = try await batch("--cancel", "--only", "1")
        #expect(rest.status == 0 && rest.report.entries.map(\.name) == ["Second"])
        #expect(!(try await home.succeed("library", "jobs").contains("First")), "it is forgotten")
        for wrong in [["--dismiss", "First"], ["--dismiss", "--retry"], ["--dismiss", "--only", "1"]] {
            #expect(try await home.program(["batch"] + wrong).run().status == 64, "\(wrong)")
        }
        let dismissed = try await batch("--dismiss")
        #expect(dismissed.status == 0 && dismissed.report.entries.isEmpty)
        #expect(try await home.names() == ["Second"], "the recording stays")
    }

    @Test("keeps what has failed beside what comes later, and says of that alone how it went")
    func keepsFailed() async throws {
        try await importDocuments([("First", "A first text.")])
        for path in home.blobs { try Data(repeating: 1, count: 70_000).write(to: URL(filePath: path)) }
        #expect(try await batch("First").status == 1)
        try await importDocuments([("Second", "A second text.")])
        let next = try await batch("Second")
        #expect(next.status == 0 && next.report.entries.map(\.state) == ["failed", "done"])
        #expect(next.report.entries.map(\.name) == ["First", "Second"])
        let nothing = try await home.run("batch")
        #expect(nothing.status == 0, "nothing has failed this time")
        #expect(nothing.text.contains("First") && nothing.errors.contains("batch --dismiss"))
        #expect(try await batch("--retry").status == 1, "it fails once more")
        #expect(try await batch("--dismiss").report.entries.isEmpty)
    }

    @Test("makes a recording of each chapter")
    func chapters() async throws {
        try await importDocuments([
            ("Book", "# One\n\nFirst text.\n\n# Two\n\nSecond text.\n\n# Three\n\nThird text.\n")
        ])
        let (status, report) = try await batch("Book", "--chapters")
        #expect(status == 0 && report.done == 3)
        #expect(try await home.names() == ["Book – One", "Book – Three", "Book – Two"])
        let text = try await home.succeed("library", "text", "Book – Two")
        #expect(text.contains("Second text.") && !text.contains("First"))
    }

    /// The output of `library jobs --json` without jobs.
    private static let noJobs = """
        {
          "batch" : [

          ],
          "jobs" : [

          ]
        }

        """

    @Test("continues after kill -9 where it was, and loses no sentence")
    func survives() async throws {
        let long = (1...300).map { "Sentence number \($0) of the long text." }.joined(separator: " ")
        try await importDocuments([("Short", "A short text."), ("Long", long), ("Last", "The last text.")])
        let program = home.program(["batch", "Short", "Long", "Last"])
        let outcome = try await program.run { running in
            _ = await running.errors.until("2 of 3")
            try await untilSegments(by: running)
            running.signal(SIGKILL)
        }
        #expect(outcome.status == 128 + SIGKILL)
        #expect(try await home.names() == ["Short"])
        let (status, report) = try await batch()
        #expect(status == 0 && report.done == 3 && report.total == 3)
        #expect(try await home.names() == ["Last", "Long", "Short"])
        let text = try await home.succeed("library", "text", "Long")
        #expect(text == long + "\n")
        #expect(try await home.succeed("library", "jobs", "--json") == Self.noJobs)
        try await home.succeed("library", "export", "Long", "-o", "long.wav", "--captions", "srt")
        let captions = try home.folder.text(of: "long.srt")
        for number in [1, 150, 300] { #expect(captions.contains("Sentence number \(number) of")) }
        let rows = captions.split(separator: "\n").count { $0.contains("-->") }
        #expect(rows == 300)
    }

    /// Waits until parts of the second narration are stored: three documents have two files each, the first recording
    /// one.
    private func untilSegments(by running: RunningProgram) async throws {
        try await waitUntil("parts of a narration are kept", while: !running.hasEnded) { home.blobs.count >= 10 }
    }

    @Test("is shown and given up")
    func cancels() async throws {
        let long = String(repeating: "A sentence of the text. ", count: 20_000)
        try await importDocuments([("Long", long), ("Last", "The last text.")])
        let outcome = try await home.program(["batch", "Long", "Last"]).run { running in
            _ = await running.errors.until("1 of 2")
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(try await batch("--list").report.entries.map(\.state) == ["begun", "waiting"])
        #expect(try await batch("--dismiss").report.total == 2, "what is left stays")
        #expect(try await batch("--cancel", "--only", "2").report.entries.map(\.name) == ["Long"])
        try await home.succeed("batch", "--cancel")
        #expect(try await batch("--list").report.total == 0)
        #expect(try await home.names().isEmpty)
    }
}
