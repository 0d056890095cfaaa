import CProcess
import EchoText
import EchoTextTesting
import Foundation
import Logging
import Testing

@testable import Workers

@Suite("A worker's environment", .endsInTime)
struct WorkerEnvironmentTests {
    /// The fixture's answer to `question`.
    private func answer(
        _ question: String,
        from launch: WorkerLaunch = .fixture,
        in isolation: WorkerIsolation,
        voice: VoiceFolder
    ) async throws -> [Float] {
        var launch = launch
        launch.readablePaths.append(voice.path)
        let worker = try await EngineWorker.fixture(launch, in: isolation)
        _ = try await worker.open(voice, lanes: 1)
        let answer = try await worker.speak(PhonemeRequest("probe \(question)"))
        worker.end()
        await worker.waitForExit()
        return answer
    }

    @Test("are its voice and nothing else, to be opened", arguments: WorkerIsolation.available)
    func files(isolation: WorkerIsolation) async throws {
        let (voice, other) = (try TemporaryVoice(), try TemporaryVoice())
        for path in [NSHomeDirectory(), "/etc/passwd", other.folder.path, other.folder.model, "/var", "/sys", "/"] {
            // In a sandbox the root is another, with only the mounted files.
            if path == "/", isolation == .bubblewrap { continue }
            let expected: [Float] = isolation.confines ? [0] : [1]
            #expect(try await answer("opens \(path)", in: isolation, voice: voice.folder) == expected, "\(path)")
        }
        #expect(try await answer("opens \(voice.folder.model)", in: isolation, voice: voice.folder) == [1])
    }

    @Test(
        "in a sandbox are nothing else to be seen either",
        .enabled(if: Bubblewrap.canSandbox, "needs bubblewrap")
    )
    func sights() async throws {
        let (voice, other) = (try TemporaryVoice(), try TemporaryVoice())
        for path in [NSHomeDirectory(), "/etc/passwd", other.folder.path, "/var", "/sys"] {
            #expect(try await answer("readable \(path)", in: .bubblewrap, voice: voice.folder) == [0], "\(path)")
        }
        #expect(try await answer("processes", in: .bubblewrap, voice: voice.folder) == [2], "the sandbox's and its own")
    }

    @Test("have no network", arguments: WorkerIsolation.available)
    func network(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        let listener = try LoopbackSocket(SOCK_STREAM)
        let question = "connects \(listener.port)"
        let expected: [Float] = isolation.confines ? [0] : [1]  // or the question would be no fair one
        #expect(try await answer(question, in: isolation, voice: voice.folder) == expected)
    }

    @Test("let it write nothing", arguments: WorkerIsolation.available)
    func writing(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        for path in ["/tmp/\(UUID().uuidString)", "\(voice.folder.path)/new"] {
            #expect(try await answer("writes \(path)", in: isolation, voice: voice.folder) == [0])
            // Outside a sandbox an empty file can be made.
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("hold no variable but those given", arguments: WorkerIsolation.available)
    func environment(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        var launch = WorkerLaunch.fixture
        launch.environment = ["ECHOTEXT_SOMETHING": "here"]
        for (variable, isThere) in [("HOME", 0), ("PATH", 0), ("ECHOTEXT_SOMETHING", 1), ("GLIBC_TUNABLES", 1)] {
            let answer = try await answer("variable \(variable)", from: launch, in: isolation, voice: voice.folder)
            #expect(answer == [Float(isThere)], "\(variable)")
        }
    }

    @Test("limit it", arguments: WorkerIsolation.available)
    func limits(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        for (limit, value) in [
            ("open files", 64), ("core file size", 0), ("file size", 0),
            ("address space", Int(WorkerLimits().memory >> 10)),
        ] {
            let found = try await answer("limit \(limit)", in: isolation, voice: voice.folder)
            #expect(found == [Float(value), Float(value)], "\(limit)")
        }
        let privileges = try await answer("privileges", in: isolation, voice: voice.folder)
        #expect(privileges.count == 2 && privileges[0] == privileges[1], "every thread must be bound")
        #expect(try await answer("descriptors", in: isolation, voice: voice.folder)[0] < 12)
    }

    @Test("are probed to be what they are")
    func probe() async {
        let expected: WorkerIsolation =
            FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")
            ? Bubblewrap.canSandbox ? .bubblewrap : .kernelOnly(.sandboxRefused)
            : .kernelOnly(.bubblewrapMissing)
        #expect(await WorkerIsolation.probe() == expected)
        #expect(await WorkerIsolation.probe(bubblewrap: "/nowhere/bwrap") == .kernelOnly(.bubblewrapMissing))
        #expect(await WorkerIsolation.probe(bubblewrap: "/usr/bin/false") == .kernelOnly(.sandboxRefused))
    }

    @Test("include the folders of its libraries, never one that holds the home folder")
    func includeFoldersLibraries() {
        let libraries = [
            "/usr/lib/libc.so.6", "/lib/x.so", "/opt/swift/lib/a.so", "/opt/swift/lib/b.so", "/home/ann/c.so", "/d.so",
            "/home/e.so", "/home/ann/.deps/lib/f.so",
        ]
        #expect(
            LoadedLibraries.folders(of: libraries, home: "/home/ann")
                == ["/d.so", "/home/ann/.deps/lib", "/home/ann/c.so", "/home/e.so", "/opt/swift/lib"]
        )
    }
}
