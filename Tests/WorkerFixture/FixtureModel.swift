import EchoText
import EchoTextTesting
import Glibc

/// Opens voices that behave as their folder's name says, or else as the script says.
struct FixtureLoader: AcousticModelLoader {
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        switch folder.name {
        case "exit": exit(255)
        case "crash": Misbehaviour.crash()
        case "hang": Misbehaviour.hang()
        case "refuse": throw VoiceFolderError.badTokens("tokens.txt")
        case "missing-engine": throw EngineLibraryError.wrongVersion(.sherpaOnnx, found: "1.13.4", wanted: "2.0.1")
        default: return FixtureModel(folder: folder, scripted: ScriptedAcousticModel(name: folder.name))
        }
    }
}

/// Finishes when a request has started to ignore its cancellation.
private let deafness = AsyncStream.makeStream(of: Never.self)

/// Performs the command that the request's symbols spell, if it is known.
private struct FixtureModel: AcousticModel {
    let folder: VoiceFolder
    let scripted: ScriptedAcousticModel

    var sampleRate: Int { scripted.sampleRate }
    var speakers: Int { scripted.speakers }
    var layout: ModelLayout { scripted.layout }

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        EngineProgress.report()
        var text = String.UnicodeScalarView()
        text.append(contentsOf: request.phonemes)
        let words = String(text).split(separator: " ", maxSplits: 1).map(String.init)
        let argument = words.dropFirst().first ?? ""
        switch words.first {
        case "crash": Misbehaviour.crash()
        case "exit": exit(Int32(argument) ?? 1)
        case "kill": raise(SIGKILL)
        case "hang": Misbehaviour.hang()
        case "deafen":
            deafness.continuation.finish()
            await Misbehaviour.ignoreCancellation()
        case "after-deafen": for await _ in deafness.stream {}
        case "spin": Misbehaviour.spin()
        case "spin-on":
            signal(SIGXCPU, SIG_IGN)
            Misbehaviour.spin()
        case "bloat": Misbehaviour.bloat()
        case "print": print(String(repeating: "\(argument)\n", count: 10_000))
        case "crash-once": crashOnce()
        case "stutter":
            // Sound delivered before the end must not be delivered again by the next process.
            try await deliver(.times([0, 100, 200]))
            try await deliver(.samples((0..<100).map(Float.init)))
            crashOnce()
            return try await deliver(.samples((100..<200).map(Float.init)))
        case "long":
            return try await deliver(.samples(Array(repeating: 0.25, count: Int(argument) ?? 0)))
        case "probe": return try await deliver(.samples(try Probe.answer(argument)))
        default: break
        }
        try await scripted.speak(request, deliver: deliver)
    }

    /// Creates an empty file, which no limit forbids, so that the next process behaves.
    private func crashOnce() {
        let mark = open("\(folder.path)/crashed", O_CREAT | O_EXCL | O_WRONLY, 0o600)
        if mark >= 0 { Misbehaviour.crash() }
    }
}

/// Misbehavior that a hostile file can cause in an engine.
enum Misbehaviour {
    static func crash() -> Never {
        kill(getpid(), SIGSEGV)
        hang()
    }

    static func hang() -> Never {
        while true { pause() }
    }

    static func spin() -> Never {
        var turns: UInt64 = 0
        while true { turns &+= 1 }
    }

    /// Allocates memory until none is left.
    static func bloat() -> Never {
        var blocks: [UnsafeMutableRawPointer] = []
        while let block = malloc(64 << 20) {
            memset(block, 1, 4_096)
            blocks.append(block)
        }
        abort()
    }

    static func ignoreCancellation() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}
