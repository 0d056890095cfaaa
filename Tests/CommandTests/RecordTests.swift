import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("echotext record", .enabled(if: SoundCard.isThere, "needs the package libasound2"), .endsInTime)
struct RecordTests {
    /// Without −32,768, which is written to files as −32,767.
    private let sound = (0..<480_000).map { Int16(($0 * 17) % 60_001 - 30_000) }

    private var bytes: Data { sound.withUnsafeBytes { Data($0) } }

    private func record(_ arguments: [String], in home: LibraryHome, hearing file: String) throws -> Program {
        var program = home.program(arguments)
        program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: file)
        return program
    }

    private func seconds(of text: String) throws -> Double {
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(json?["duration"] as? Double)
    }

    @Test("keeps what the microphone hears, sample by sample, until --max")
    func kept() async throws {
        let home = try LibraryHome()
        try home.folder.write(bytes, to: "heard")
        let outcome = try await record(
            ["record", "--name", "Walk", "--language", "et", "--max", "0:03.7", "--json"],
            in: home,
            hearing: "heard"
        ).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try seconds(of: outcome.text) == 3.7)
        try await home.succeed("recordings", "export", "Walk", "-o", "walk.wav")
        #expect(try home.folder.data(of: "walk.wav").suffix(2 * 177_600) == bytes.prefix(2 * 177_600))
        #expect(try await home.succeed("recordings", "show", "Walk").contains("recorded"))
    }

    @Test("writes a sound file, with a level meter when it is wanted", arguments: ["note.wav", "note.flac"])
    func file(_ name: String) async throws {
        let home = try LibraryHome()
        try home.folder.write(bytes, to: "heard")
        let outcome = try await record(["record", "-o", name, "--max", "2", "--level"], in: home, hearing: "heard")
            .run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("dB, peak"))
        let written = try home.folder.data(of: name)
        if name.hasSuffix("wav") { #expect(written.suffix(192_000) == bytes.prefix(192_000)) }
        #expect(!written.isEmpty)
        #expect(try await home.names().isEmpty)
    }

    @Test("replaces no earlier recording, but an empty file")
    func used() async throws {
        let home = try LibraryHome()
        try home.folder.write(bytes, to: "heard")
        try home.folder.write(Data(), to: "note.wav")
        let arguments = ["record", "-o", "note.wav", "--max", "1", "--json"]
        let first = try await record(arguments, in: home, hearing: "heard").run()
        #expect(first.status == 0, "\(first.errors)")
        let kept = try home.folder.data(of: "note.wav")
        #expect(!kept.isEmpty)
        let second = try await record(arguments, in: home, hearing: "heard").run()
        #expect(second.status == 64 && second.code == "command.contradiction", "\(second.errors)")
        #expect(try home.folder.data(of: "note.wav") == kept)
    }

    @Test("records on where its level cannot be shown")
    func unseen() async throws {
        let home = try LibraryHome()
        try home.folder.write(bytes, to: "heard")
        var program = try record(["record", "-o", "note.wav", "--max", "2", "--level"], in: home, hearing: "heard")
        program.redirection = "2>/dev/full"
        #expect(try await program.run().status == 0)
        #expect(try home.folder.data(of: "note.wav").suffix(192_000) == bytes.prefix(192_000))
    }

    @Test("keeps its file when its terminal is closed, which hangs up more than once")
    func hungUp() async throws {
        let home = try LibraryHome()
        let microphone = try Microphone(home.folder)
        let terminal = try Terminal()
        var program = try record(["record", "-o", "note.wav"], in: home, hearing: "heard")
        program.redirection = "2>\"$TERMINAL\""
        program.terminal = terminal
        let outcome = try await program.run { running in
            _ = await terminal.screen.until("recording from")
            await microphone.give(bytes.prefix(96_000 * 2))
            _ = await terminal.screen.until("● 0:01")
            terminal.screen.close()
            for _ in 1...20 { running.signal(SIGHUP) }
        }
        microphone.close()
        #expect(outcome.status == 0)
        #expect(try home.folder.data(of: "note.wav").count > 96_000, "a second that was shown")
        #expect(!home.folder.names.contains { $0.contains("unfinished") })
    }

    @Test("keeps what it could write when the disk takes no more", arguments: ["note.wav", "note.flac"])
    func noRoom(_ name: String) async throws {
        let home = try LibraryHome()
        // No codec makes noise smaller.
        var state: UInt64 = 88_172_645_463_325_252
        let noise = (0..<480_000).map { _ -> Int16 in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int16(truncatingIfNeeded: state)
        }
        try home.folder.write(noise.withUnsafeBytes { Data($0) }, to: "heard")
        var program = try record(["record", "-o", name, "--max", "8"], in: home, hearing: "heard")
        program.tracer = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]
        let outcome = try await program.run()
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("could be written"), "\(outcome.errors)")
        let clip = try await SoundFileReader().read(home.folder(name), limit: 100_000_000)
        #expect((3...6).contains(clip.seconds), "of half a million bytes, which are five seconds")
    }

    @Test("leaves a file that can be seen when it is killed")
    func killedFile() async throws {
        let home = try LibraryHome()
        let microphone = try Microphone(home.folder)
        _ = try await record(["record", "-o", "note.wav", "--level"], in: home, hearing: "heard").run { running in
            _ = await running.errors.until("recording from")
            await microphone.give(bytes.prefix(96_000 * 4))
            _ = await running.errors.until("● 0:03")
            running.kill()
        }
        microphone.close()
        // A later run in the same folder takes away what nobody needs.
        _ = try await home.run("speak", "Hello.", "-o", "hello.wav")
        #expect(!home.folder.names.contains("note.wav"))
        let kept = try home.folder.data(of: "note (unfinished).wav")
        #expect(kept.count > 192_000 && kept.range(of: bytes[1_000..<100_000]) != nil)
        try FileManager.default.removeItem(atPath: home.folder("heard"))
        try home.folder.write(bytes, to: "heard")
        let next = try await record(["record", "-o", "note.wav", "--max", "1"], in: home, hearing: "heard").run()
        #expect(next.status == 0 && next.errors.contains("“note (unfinished).wav”"), "\(next.errors)")
        #expect(try home.folder.data(of: "note (unfinished).wav") == kept, "it stays as it was")
        let other = try await record(["record", "-o", "other.wav", "--max", "1"], in: home, hearing: "heard").run()
        #expect(other.status == 0 && !other.errors.contains("unfinished"), "\(other.errors)")
    }

    @Test(
        "writes its file to the disk as it is recorded, where a power failure leaves it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "needs the package strace")
    )
    func secured() async throws {
        let home = try LibraryHome()
        try home.folder.write(bytes, to: "heard")
        var program = try record(["record", "-o", "note.wav", "--max", "3"], in: home, hearing: "heard")
        let log = home.folder("calls")
        program.tracer = ["/usr/bin/strace", "-f", "-qq", "-e", "signal=none", "-e", "trace=fdatasync", "-o", log]
        let outcome = try await program.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let calls = try home.folder.text(of: "calls").components(separatedBy: "fdatasync(").count - 1
        #expect(calls >= 3, "once for each half second, or at least for each second")
    }

    @Test("is ended well by a signal", arguments: [SIGINT, SIGTERM])
    func signals(_ signal: Int32) async throws {
        let home = try LibraryHome()
        try await home.succeed("library", "list")
        let size = RunningProgram.size(of: home.library)
        let microphone = try Microphone(home.folder)
        let outcome = try await record(["record", "--name", "Walk"], in: home, hearing: "heard").run { running in
            _ = await running.errors.until("recording from")
            await microphone.give(bytes.prefix(96_000 * 2))
            await running.untilFilled(home.library, bytes: size + 90_000)
            running.signal(signal)
        }
        microphone.close()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("kept as"))
        #expect(try await home.names() == ["Walk"])
    }

    @Test("loses no more than the last second when it is killed, and can be continued, kept and discarded")
    func killed() async throws {
        let home = try LibraryHome()
        try await home.succeed("library", "list")
        let microphone = try Microphone(home.folder)
        _ = try await record(["record", "--name", "Walk", "--level"], in: home, hearing: "heard").run { running in
            _ = await running.errors.until("recording from")
            await microphone.give(bytes.prefix(96_000 * 4))
            _ = await running.errors.until("● 0:03")
            running.kill()
        }
        microphone.close()
        let text = try await home.succeed("recordings", "unfinished", "--json")
        let sessions = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(sessions.count == 1)
        #expect(sessions.first?["state"] as? String == "interrupted")
        #expect(sessions.first?["name"] as? String == "Walk" && sessions.first?["samples"] is Int)
        let before = try #require(sessions.first?["seconds"] as? Double)
        #expect(before >= 2, "of three seconds that were shown")
        try FileManager.default.removeItem(atPath: home.folder("heard"))
        try home.folder.write(bytes, to: "heard")
        let resumed = try await record(["recordings", "resume", "--max", "1", "--json"], in: home, hearing: "heard")
            .run()
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(abs(try seconds(of: resumed.text) - before - 1) < 0.001)
        #expect(try await home.run("recordings", "keep").status == 66, "none is left")
    }

    @Test("says where no microphone is, and lists those there are")
    func devices() async throws {
        let home = try LibraryHome()
        let none = try await home.run("record")
        #expect(none.status == 69)
        #expect(none.errors.contains("microphone"))
        #expect(try await home.run("recordings", "unfinished", "--json").text.contains("[\n\n]"))
        #expect(try await home.run("record", "--rate", "5").status == 64)
        #expect(try await home.run("record", "-o", "a.wav", "--name", "x").status == 64)
    }
}

/// A pipe that serves as a microphone, as fast as it is filled.
private final class Microphone: Sendable {
    /// F_SETPIPE_SZ of fcntl(2), which Swift does not import.
    private static let setPipeSize: CInt = 1_031

    private let path: String
    private let end: Mutex<PipeEnd>

    init(_ folder: TemporaryFolder) throws {
        path = folder("heard")
        try makeFIFO(at: path)
        // Neither this side nor the program waits for the other when opening it.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        // It takes a whole sound at once: where the program reads less than it asked for, ALSA makes up the rest.
        _ = fcntl(descriptor, Self.setPipeSize, 1 << 20)
        end = Mutex(PipeEnd(descriptor))
    }

    /// Sends sound to a program that has the pipe open, or until it has exited; call it once.
    func give(_ sound: Data) async {
        // From here on nobody but the program reads from the pipe, which breaks at its end.
        let writer = PipeEnd(open(path, O_WRONLY | O_CLOEXEC))
        end.withLock { $0 = writer }
        // In pieces it would be read between them, and ALSA would make up the rest of the last one.
        await writer.write(sound, inPiecesOf: sound.count)
    }

    func close() { end.withLock { $0.close() } }
}
