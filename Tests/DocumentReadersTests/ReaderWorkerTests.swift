import EchoText
import EchoTextTesting
import Foundation
import Logging
import Testing

@testable import DocumentReaders
@testable import Workers

@Suite("Readers in processes of their own", .endsInTime)
struct ReaderWorkerTests {
    private static let quiet = Logger(label: "readers") { _ in SwiftLogNoOpLogHandler() }

    private static let open: [WorkerIsolation] = [.limitsOnly(.switchedOff), .kernelOnly(.switchedOff)]
    private static let available: [WorkerIsolation] =
        open + (Bubblewrap.canSandbox ? [.bubblewrap(path: Bubblewrap.path)] : [])

    /// Test machines are busy, so the timeouts are longer.
    static var patient: ReaderTiming {
        var timing = ReaderTiming()
        (timing.page, timing.whole) = (.seconds(60), .seconds(180))
        return timing
    }

    /// A reader whose process performs `behavior` at the second page, and has `mark` in its command line.
    static func reader(
        _ behavior: String = "well",
        marked mark: String? = nil,
        in isolation: WorkerIsolation = .limitsOnly(.switchedOff),
        timing: ReaderTiming = patient,
        needsConfinement: Bool = true,
        clock: any Clock<Duration> = .continuous
    ) -> WorkerDocumentReader {
        var launch = WorkerLaunch.reader
        launch.executable = BuiltPackage.program("ReaderFixture")
        launch.arguments = ["worker", "reader"] + [mark].compactMap(\.self) + [behavior]
        launch.needsConfinement = needsConfinement
        switch behavior {
        case "busy": launch.limits.processorSeconds = 1
        case "spin": launch.limits.processorSeconds = 2
        case "brief": (launch.limits.processorSeconds, launch.limits.lifeSeconds) = (3, 3)
        default: break
        }
        return WorkerDocumentReader(
            launch,
            isolation: isolation,
            timing: timing,
            clock: clock,
            logger: quiet
        )
    }

    private let sample = SamplePDF(paragraphs: SampleText.paragraphs(40)).file

    @Test(arguments: available)
    func `keep the promises of a reader`(isolation: WorkerIsolation) async throws {
        let book = SampleEPUB(pages: ["<h1>One</h1><p>First.</p>"]).file
        let text = DocumentFile(name: "x", bytes: Data("Words.".utf8))
        try await verifyContract(of: Self.reader(in: isolation), with: [sample, book, text])
    }

    @Test(arguments: available)
    func `read a book whose files have names of any letters`(isolation: WorkerIsolation) async throws {
        var book = SampleEPUB(
            pages: [],
            manifest: #"<item id="a" href="peatükk%20ühe%20õuna.xhtml" media-type="application/xhtml+xml"/>"#
        )
        let package = try #require(book.entries.first { $0.name == "OEBPS/package.opf" })
        let spine = String(decoding: package.bytes, as: UTF8.self)
            .replacing("<spine></spine>", with: #"<spine><itemref idref="a"/></spine>"#)
        book.replace("OEBPS/package.opf", spine)
        book.add("OEBPS/peatükk ühe õuna.xhtml", "<html><body><p>Õun kukkus puust, 夜に.</p></body></html>")
        #expect(try await Self.reader(in: isolation).read(book.file).text == "Õun kukkus puust, 夜に.")
    }

    @Test func `give what the reader itself gives`() async throws {
        let here = try await LocalDocumentReader().read(sample)
        let there = try await Self.reader().read(sample)
        let isSame = here == there
        #expect(isSame)
    }

    @Test(arguments: ["crash", "bloat", "spin"], available)
    func `pass over a page that ends them`(behavior: String, isolation: WorkerIsolation) async throws {
        let document = try await Self.reader(behavior, in: isolation).read(sample)
        #expect(document.notices.contains(.unreadablePages([2])))
        #expect(document.pages.count > 3 && document.pages[1].range.count < 3 && document.pages[2].range.count > 100)
    }

    @Test func `give every page processor time of its own`() async throws {
        let document = try await Self.reader("busy").read(sample)
        #expect(document.pages.count > 3 && document.notices.isEmpty)
    }

    private static let text = DocumentFile(name: "x", bytes: Data("Words, and more of them.".utf8))
    private static let markdown = DocumentFile(name: "x", bytes: Data("# A\n\n# B\n\nWords.".utf8))

    @Test(arguments: ["crash", "bloat", "spin"], available)
    func `end alone over a plain text or Markdown that ends them`(
        behavior: String,
        isolation: WorkerIsolation
    ) async throws {
        for file in [Self.text, Self.markdown] {
            await #expect(throws: DocumentError.readerDied) {
                try await Self.reader(behavior, in: isolation).read(file)
            }
        }
    }

    @Test func `that never get done with texts let the next ones through`() async throws {
        var timing = Self.patient
        timing.whole = .seconds(2)
        let reader = Self.reader("hang", timing: timing)
        await withTaskGroup(of: Void.self) { group in
            for file in [Self.text, Self.markdown, Self.text, Self.markdown, Self.text] {
                group.addTask {
                    await #expect(throws: DocumentError.tooSlow(seconds: 2)) { try await reader.read(file) }
                }
            }
        }
    }

    @Test func `give a long text of every kind of character whole`() async throws {
        let text = String(repeating: "Öö läheneb 😀 夜が近づいている。\n\n", count: 60_000)
        let document = try await Self.reader().read(DocumentFile(name: "x", bytes: Data(text.utf8)))
        let isSame = document.text == text.trimmed
        #expect(isSame)
    }

    @Test(arguments: ["well", "crash", "lie", "garbage"])
    func `decode a text, or end alone over it`(behavior: String) async throws {
        let reader = Self.reader(behavior)
        let bytes = Data([0x64, 0xE9, 0x6A, 0xE0, 0x20, 0x76, 0x75, 0x0D, 0x0A])
        guard behavior == "well" else {
            await #expect(throws: DocumentError.readerDied) { try await reader.decode(bytes) }
            return
        }
        let document = try await reader.decode(bytes)
        #expect(document.text == "déjà vu\r\n" && document.notices == [.guessedEncoding("CP1252")])
    }

    @Test(arguments: 1...9)
    func `take a text from whatever pieces it comes in`(size: Int) throws {
        let sample = "aÕ€😀z, öö"
        var text = ReceivedText()
        let bytes = Array(sample.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try text.append(Array(bytes[start...].prefix(size)))
        }
        #expect(text.text == sample && text.units == sample.utf16.count && text.isWhole)
        #expect(throws: WorkerError.protocolViolation) { try text.append([0x41, 0xFF, 0x41, 0x41, 0x41, 0x41]) }
    }

    @Test func `pass over a page that never gets done`() async throws {
        var timing = Self.patient
        timing.page = .seconds(20)
        let document = try await Self.reader("hang", timing: timing).read(sample)
        #expect(document.notices.contains(.unreadablePages([2])))
    }

    @Test func `give up when the time is over`() async throws {
        var timing = ReaderTiming()
        (timing.page, timing.whole) = (.seconds(60), .seconds(2))
        await #expect(throws: DocumentError.tooSlow(seconds: 2)) {
            try await Self.reader("hang", timing: timing).read(sample)
        }
    }

    @Test(arguments: ["garbage", "lie", "quit"])
    func `are not believed everything`(behavior: String) async throws {
        await #expect(throws: DocumentError.readerDied) { try await Self.reader(behavior).read(sample) }
    }

    @Test func `are not started where nothing confines them, unless that is allowed`() async throws {
        let nothing = WorkerIsolation(.open(.sandboxRefused), guards: .landlock)
        await #expect(throws: DocumentError.notConfined) { try await Self.reader(in: nothing).read(sample) }
        let allowing = Self.reader(in: nothing, needsConfinement: false)
        #expect(try await allowing.read(sample).notices.isEmpty)
    }

    @Test func `that cannot be started say so`() async throws {
        let reader = WorkerDocumentReader(
            WorkerLaunch(executable: "/nowhere/echotext"),
            isolation: .limitsOnly(.switchedOff),
            logger: Self.quiet
        )
        await #expect(throws: DocumentError.self) { try await reader.read(sample) }
    }

    @Test func `end when nobody waits for them any more`() async throws {
        let mark = UUID().uuidString
        let reader = Self.reader("hang", marked: mark)
        let reading = Task { try await reader.read(sample) }
        try await waitUntil("the reader runs") {
            try Self.children().contains { child in
                let command = FileManager.default.contents(atPath: "/proc/\(child)/cmdline")
                return command?.range(of: Data(mark.utf8)) != nil
            }
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        // The answer arrives only after the process has ended.
        #expect(try await Self.reader().read(sample).notices.isEmpty)
    }

    private static func children() throws -> [Substring] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").flatMap { thread -> [Substring] in
            // A thread may have ended since the listing.
            let list = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").map { Substring($0) }
        }
    }

    @Test func `carry every error as it is`() throws {
        let errors: [DocumentError] = [
            .unsupported(found: "x"), .empty, .damaged(.pdf), .encrypted(wrong: true), .noText, .blank, .unknownLetters,
            .protectedByDRM,
            .tooLarge(limit: 5), .tooMuchInside, .tooManyPages(limit: 3), .tooSlow(seconds: 3), .readerDied,
            .cannotStartReader, .notConfined, .noSuchPage(4), .noPicture, .coverNotDrawn,
        ]
        for error in errors {
            let copy = try JSONDecoder().decode(DocumentError.self, from: JSONEncoder().encode(error))
            #expect(copy == error)
            #expect(!error.message.isEmpty && error.code.hasPrefix("document."))
        }
        #expect(Set(errors.map(\.code)).count == errors.count)
    }
}
