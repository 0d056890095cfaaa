import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import ModelInstallation
@testable import Workers

@Suite("Unpackers of strangers' archives", .endsInTime)
struct UnpackerTests {
    private static func worker(in isolation: WorkerIsolation) -> WorkerUnpacker {
        WorkerUnpacker(Fixtures.unpacker, isolation: isolation, logger: Fixtures.logger)
    }

    private let archive = "\(Fixtures.good)/vits-piper-en_US-fixture-low.tar.bz2"

    @Test func `keep the promises of their port in this process`() async throws {
        try await verifyContract(of: LibarchiveUnpacker(), with: archive, of: Fixtures.voice)
    }

    @Test(arguments: Fixtures.isolations)
    func `keep the promises of their port in a process of their own`(isolation: WorkerIsolation) async throws {
        try await verifyContract(of: Self.worker(in: isolation), with: archive, of: Fixtures.voice)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let error: ModelInstallError?
        var testDescription: String { name }

        init(_ name: String, _ error: ModelInstallError?) {
            (self.name, self.error) = (name, error)
        }

        init(_ name: String, _ kind: ModelInstallError.Forbidden, _ entry: String) {
            self.init(name, .forbidden(kind, name: entry))
        }
    }

    private static let home = "vits-piper-en_US-fixture-low"
    private static let victim = "../../../../../../../../tmp/echotext-victim"

    /// Archives that must be rejected, with the reason; `nil` for harmless ones without a voice.
    static let faults: [Fault] = [
        .init("absolute-path", .absolutePath, "/tmp/echotext-victim"),
        .init("parent-path", .parentPath, victim),
        .init("parent-path-inside", .parentPath, "\(home)/a/../../../b"),
        .init("parent-path-alone", .parentPath, "../"),
        .init("symbolic-link-out", .symbolicLink, "\(home)/passwd"),
        .init("symbolic-link-inside", .symbolicLink, "\(home)/other.txt"),
        .init("write-through-a-link", .symbolicLink, "door"),
        .init("symbolic-link-as-home", .symbolicLink, home),
        .init("hard-link-out", .hardLink, "\(home)/passwd"),
        .init("hard-link-inside", .hardLink, "\(home)/other.txt"),
        .init("character-device", .device, "\(home)/null"),
        .init("block-device", .device, "\(home)/disk"),
        .init("named-pipe", .pipe, "\(home)/pipe"),
        .init("set-user-id", .setUserID, "\(home)/run"),
        .init("set-group-id", .setUserID, "\(home)/run"),
        .init("line-end-in-name", .badName, "\(home)/a�b"),
        .init("escape-in-name", .badName, "\(home)/�[2Ja"),
        .init("turned-name", .badName, "\(home)/a�txt.exe"),
        .init("backslash-in-name", .badName, "\(home)�..�..�a"),
        .init("long-name", .badName, ArchiveRules.shown("\(home)/" + String(repeating: "a", count: 200))),
        .init("long-part", .badName, ArchiveRules.shown("\(home)/" + String(repeating: "a", count: 200))),
        .init("name-not-utf8", .badName, "?"),
        .init("deep-name", .tooDeep, ArchiveRules.shown(home + String(repeating: "/a", count: 40))),
        .init("twice", .twice, "\(home)/tokens.txt"),
        .init("twice-with-dots", .twice, "./\(home)/./tokens.txt"),
        .init("file-as-folder", .twice, "\(home)/tokens.txt/a"),
        .init("folder-as-file", .twice, home),
        .init("too-many-files", .tooManyFiles(limit: 4_096)),
        .init("bomb", .bomb),
        .init("packed-twice", .bomb),
        .init("packed-nine-times", .bomb),
        .init("huge-size", .bomb),
        .init("negative-size", .damagedArchive),
        .init("huge-header", .damagedArchive),
        .init("cut-short", .damagedArchive),
        .init("changed-byte", .damagedArchive),
        .init("garbage", .notAnArchive),
        .init("empty-file", .notAnArchive),
        .init("nothing", .notAnArchive),
        .init("page-of-a-server", .notAnArchive),
        .init("zip", .notAnArchive),
        .init("no-voice", nil),
    ]

    @Test func `know every hostile archive that there is`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.bad)
        #expect(files.sorted() == Self.faults.map { "\($0.name).tar.bz2" }.sorted())
    }

    @Test(arguments: faults)
    func `refuse what is hostile by name, and write nothing outside`(fault: Fault) async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("in"), withIntermediateDirectories: false)
        let isolation = try #require(Fixtures.isolations.last)
        var found: ModelInstallError?
        do {
            let writer = try PieceWriter(into: folder("in"))
            let archive = "\(Fixtures.bad)/\(fault.name).tar.bz2"
            try await Self.worker(in: isolation).unpack(archive, by: ArchiveRules()) { try writer.take($0) }
        } catch let error as ModelInstallError {
            found = error
        }
        #expect(found == fault.error)
        #expect(folder.namesBelow.allSatisfy { $0 == "in" || $0.hasPrefix("in/") })
        let kinds = folder.namesBelow.map { name in
            try? FileManager.default.attributesOfItem(atPath: folder(name))[.type] as? FileAttributeType
        }
        #expect(kinds.allSatisfy { $0 == .typeRegular || $0 == .typeDirectory })
        #expect(!FileManager.default.fileExists(atPath: "/tmp/echotext-victim"))
    }

    @Test(arguments: faults)
    func `say the same in this process as in another`(fault: Fault) async throws {
        var found: ModelInstallError?
        do {
            let archive = "\(Fixtures.bad)/\(fault.name).tar.bz2"
            try await LibarchiveUnpacker().unpack(archive, by: ArchiveRules()) { _ in }
        } catch let error as ModelInstallError {
            found = error
        }
        #expect(found == fault.error)
    }

    @Test func `are not believed everything`() async throws {
        // A compromised worker can send anything; the program still enforces the rules.
        let said: [(pieces: [ArchivePiece], error: ModelInstallError)] = [
            ([.file("../a")], .forbidden(.parentPath, name: "../a")),
            ([.file("/a")], .forbidden(.absolutePath, name: "/a")),
            ([.file("/\u{301}a")], .forbidden(.absolutePath, name: "/\u{301}a")),
            ([.file("a"), .file("a")], .forbidden(.twice, name: "a")),
            ([.bytes([1])], .unpackerDied),
        ]
        for (pieces, error) in said {
            let answer = FrameFormat.preamble + pieces.flatMap(\.frame)
            let folder = TemporaryFolder()
            try Data(answer).write(to: URL(filePath: folder("answer")))
            var launch = WorkerLaunch(executable: "/bin/cat")
            launch.arguments = [folder("answer")]
            let unpacker = WorkerUnpacker(launch, isolation: .limitsOnly(.switchedOff), logger: Fixtures.logger)
            await #expect(throws: error) { try await unpacker.unpack(archive, by: ArchiveRules()) { _ in } }
        }
    }

    @Test func `are not started where nothing confines them, unless that is allowed`() async throws {
        let nothing = WorkerIsolation(.open(.bubblewrapMissing), guards: .filter)
        var launch = Fixtures.unpacker
        let strict = WorkerUnpacker(launch, isolation: nothing, logger: Fixtures.logger)
        await #expect(throws: ModelInstallError.notConfined) {
            try await strict.unpack(archive, by: ArchiveRules()) { _ in }
        }
        launch.needsConfinement = false
        let allowing = WorkerUnpacker(launch, isolation: nothing, logger: Fixtures.logger)
        try await allowing.unpack(archive, by: ArchiveRules()) { _ in }
    }

    @Test func `that cannot be started say so`() async throws {
        let unpacker = WorkerUnpacker(
            WorkerLaunch(executable: "/nowhere/echotext"),
            isolation: .limitsOnly(.switchedOff),
            logger: Fixtures.logger
        )
        await #expect(throws: ModelInstallError.self) {
            try await unpacker.unpack(archive, by: ArchiveRules()) { _ in }
        }
    }

    @Test func `that continue forever are given up, though they say something all the time`() async throws {
        // A file begins, and its bytes arrive one by one.
        let folder = TemporaryFolder()
        let beginning = FrameFormat.preamble + ArchivePiece.file("a").frame
        try Data(beginning).write(to: URL(filePath: folder("beginning")))
        try Data(ArchivePiece.bytes([7]).frame).write(to: URL(filePath: folder("byte")))
        var launch = WorkerLaunch(executable: "/bin/sh")
        launch.arguments = [
            "-c", "/bin/cat \"$0\"; while :; do /bin/cat \"$1\"; done", folder("beginning"), folder("byte"),
        ]
        let (bytes, taken) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let clock = ManualClock()
        let unpacker = WorkerUnpacker(
            launch,
            isolation: .limitsOnly(.switchedOff),
            idleTimeout: .seconds(600),
            longest: .seconds(70),
            clock: clock,
            logger: Fixtures.logger
        )
        let running = Task {
            try await unpacker.unpack(archive, by: ArchiveRules()) { piece in
                if case .bytes = piece { taken.yield() }
            }
        }
        for await _ in bytes { break }
        await clock.endShortestSleep(of: .seconds(70))
        await #expect(throws: ModelInstallError.tooSlow(seconds: 70)) { try await running.value }
    }

    @Test func `that say nothing are given up`() async throws {
        var launch = WorkerLaunch(executable: "/bin/sleep")
        launch.arguments = ["600"]
        let clock = ManualClock()
        let unpacker = WorkerUnpacker(
            launch,
            isolation: .limitsOnly(.switchedOff),
            idleTimeout: .seconds(9),
            clock: clock,
            logger: Fixtures.logger
        )
        let unpacking = Task { try await unpacker.unpack(archive, by: ArchiveRules()) { _ in } }
        await clock.endShortestSleep(of: .seconds(9))
        await #expect(throws: ModelInstallError.tooSlow(seconds: 9)) { try await unpacking.value }
    }

    @Test func `carry every error as it is`() throws {
        let errors: [ModelInstallError] =
            ModelInstallError.Forbidden.allCases.map { .forbidden($0, name: "a") } + [
                .damagedArchive, .notAnArchive, .tooManyFiles(limit: 3), .tooMuchInside(limit: 4), .bomb,
                .tooSlow(seconds: 5), .unpackerDied, .cannotStartUnpacker, .notConfined, .silent,
                .inconsistent(file: "x"),
                .nothingToAdd, .notInstalled(.init(rawValue: "a")), .altered(.init(rawValue: "a"), file: "b"),
                .gone(.init(rawValue: "a"), isInCatalogue: true), .builtIn(.init(rawValue: "a")), .cannotWrite,
                .nameTaken("a"), .several(["a", "b"]), .noSpace(needed: 5, free: 4),
            ]
        for error in errors {
            let copy = try JSONDecoder().decode(ModelInstallError.self, from: JSONEncoder().encode(error))
            #expect(copy == error)
            #expect(error.code.hasPrefix("voice.") && !error.message.isEmpty)
        }
        #expect(Set(errors.map(\.message)).count == errors.count)
    }
}
