import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import AudioFiles

/// Films and the like, made by FFmpeg.
enum Films {
    static let program = ChildProgram.path(of: "ffmpeg", in: "/usr/local/bin:/usr/bin:/bin")

    static func make(_ name: String, _ arguments: [String]) throws -> Data {
        let folder = TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments = ["-v", "error", "-y"] + arguments + [folder(name)]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try folder.data(of: name)
    }

    static func generated(_ source: String) -> [String] { ["-f", "lavfi", "-i", source] }

    static let picture = generated("testsrc=duration=8:size=64x64:rate=10")

    /// Bursts of a tone, whose level falls as that of speech does.
    static func bursts(_ hertz: Int, seconds: Int) -> [String] {
        generated("aevalsrc=0.3*sin(2*PI*\(hertz)*t)*lt(mod(t\\,0.5)\\,0.22):s=48000:d=\(seconds)")
    }

    static let noise = generated("anoisesrc=amplitude=0.1:duration=8:sample_rate=48000")
    static let silence = generated("anullsrc=channel_layout=mono:sample_rate=48000:duration=8")
}

/// Remembers that it was asked, and decodes nothing.
private final class PassedOver: SoundFileDecoder {
    private let asked = Atomic(false)

    var isAsked: Bool { asked.load(ordering: .relaxed) }

    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        asked.store(true, ordering: .relaxed)
    }
}

/// Decodes nothing, for a reason.
private struct RefusingDecoder: SoundFileDecoder {
    let reason: SoundImportError

    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        throw reason
    }
}

extension SoundCollector {
    /// In dBFS.
    fileprivate func level(_ range: Range<Double>) -> Double { clip(range).level ?? -120 }
}

@Suite("Tracks of films", .enabled(if: Films.program != nil, "needs FFmpeg"), .endsInTime)
struct SoundTrackTests {
    private static let containers: [(String, [String])] = [
        ("a.mp4", ["-c:a", "aac"]), ("a.mkv", ["-c:a", "aac"]), ("a.ts", ["-c:a", "aac"]),
        ("a.webm", ["-c:a", "libopus"]),
    ]

    @Test(
        "that begin later than the pictures are silent until then",
        arguments: containers + [("a.flv", ["-c:a", "aac"]), ("a.ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"])]
    )
    func late(_ name: String, _ options: [String]) async throws {
        let tone = ["-itsoffset", "4"] + Films.generated("sine=frequency=440:duration=3")
        let heard = try await decodedByFFmpeg(try Films.make(name, Films.picture + tone + options + ["-ac", "1"]))
        #expect(abs(await heard.seconds - 7) < 0.15)
        #expect(await heard.level(0..<3.8) < -80)
        #expect(await heard.level(4.3..<6.5) > -30)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are silent before sound that begins late, also where there are no pictures that begin earlier")
    func lateAlone() async throws {
        let tone = ["-itsoffset", "2"] + Films.generated("sine=frequency=440:duration=3")
        let heard = try await decodedByFFmpeg(try Films.make("a.m4a", tone + ["-c:a", "aac"]))
        #expect(abs(await heard.seconds - 5) < 0.15)
        #expect(await heard.level(0..<1.8) < -80)
        #expect(await heard.level(2.3..<4.5) > -30)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are silent where their time stamps have a gap", arguments: containers)
    func gap(_ name: String, _ options: [String]) async throws {
        let filter = "[1:a]asetpts=PTS+gt(T\\,2)*3/TB[a]"
        let sound = Films.generated("sine=frequency=440:duration=6")
        let chosen = ["-filter_complex", filter, "-map", "0:v", "-map", "[a]"]
        let heard = try await decodedByFFmpeg(
            try Films.make(name, Films.picture + sound + chosen + options + ["-ac", "1"])
        )
        #expect(abs(await heard.seconds - 9) < 0.15)
        #expect(await heard.level(0.3..<1.8) > -30)
        #expect(await heard.level(3..<4.8) < -80)
        #expect(await heard.level(6..<8.5) > -30)
    }

    @Test(
        "lose nothing where their time stamps are absurd, and are not filled for hours",
        arguments: ["PTS+gt(T\\,1.5)*7200/TB", "PTS-gt(T\\,1.5)*1/TB"]
    )
    func absurd(_ stamps: String) async throws {
        let sound = Films.generated("sine=frequency=440:duration=3")
        let file = try Films.make("a.mka", sound + ["-af", "asetpts=\(stamps)", "-c:a", "libopus", "-ac", "1"])
        let heard = try await decodedByFFmpeg(file)
        #expect(abs(await heard.seconds - 3) < 0.15)
        #expect(await heard.level(0.2..<2.8) > -30)
    }

    @Test(
        "that are silent are passed over, and it is said",
        arguments: [
            ("a.mov", "aac"), ("a.mkv", "aac"), ("a.avi", "libmp3lame"), ("a.ogg", "libvorbis"), ("a.ogg", "libopus"),
        ]
    )
    func silentFirst(_ name: String, _ codec: String) async throws {
        let tone = Films.generated("sine=frequency=440:duration=3")
        let file = try Films.make(name, Films.silence + tone + ["-map", "0:a", "-map", "1:a", "-c:a", codec])
        let heard = try await decodedByFFmpeg(file)
        #expect(abs(await heard.seconds - 3) < 0.15)
        #expect(abs(await heard.clip(1..<2).fundamental - 440) < 8)
        #expect(await heard.notices == [.tracks(count: 2, taken: 2)])
    }

    @Test("in which nobody speaks give way to one in which somebody does")
    func game() async throws {
        let file = try Films.make(
            "a.mkv",
            Films.noise + Films.bursts(330, seconds: 8) + ["-map", "0:a", "-map", "1:a", "-c:a", "libopus"]
        )
        let heard = try await decodedByFFmpeg(file)
        #expect(await heard.notices == [.tracks(count: 2, taken: 2)])
        #expect(abs(await heard.clip(1.02..<1.2).fundamental - 330) < 8)
    }

    @Test("that the file prefers are taken where somebody speaks in them", arguments: [0, 1, 2])
    func preferred(_ track: Int) async throws {
        let hertz = [220, 330, 550]
        let sources = hertz.flatMap { Films.bursts($0, seconds: 6) } + ["-map", "0:a", "-map", "1:a", "-map", "2:a"]
        let flags = (0..<3).flatMap { ["-disposition:a:\($0)", $0 == track ? "default" : "0"] }
        let heard = try await decodedByFFmpeg(try Films.make("a.mkv", sources + flags + ["-c:a", "libopus"]))
        #expect(await heard.notices == [.tracks(count: 3, taken: track + 1)])
        #expect(abs(await heard.clip(1.02..<1.2).fundamental - Double(hertz[track])) < 8)
    }

    @Test("that the file prefers are taken also behind more tracks than are listened to")
    func preferredBehindMany() async throws {
        let count = TrackChoice.longestSearch + 2
        let sources = (0..<count).flatMap { Films.bursts(220 + 40 * $0, seconds: 4) }
        let maps = (0..<count).flatMap { ["-map", "\($0):a"] }
        let flags = (0..<count).flatMap { ["-disposition:a:\($0)", $0 == count - 1 ? "default" : "0"] }
        let file = try Films.make("a.mkv", sources + maps + flags + ["-c:a", "libopus", "-ac", "1"])
        let heard = try await decodedByFFmpeg(file)
        #expect(await heard.notices == [.tracks(count: count, taken: count)])
        #expect(abs(await heard.clip(1.02..<1.2).fundamental - Double(220 + 40 * (count - 1))) < 8)
    }

    @Test("in Ogg are looked for where there are several, or pictures, and only there")
    func ogg() async throws {
        let tone = Films.generated("sine=frequency=440:duration=1")
        let (vorbis, flac) = (["-c:a", "libvorbis"], ["-c:a", "flac"])
        let two = Films.silence + tone + ["-map", "0:a", "-map", "1:a"]
        let film = Films.picture + tone + ["-c:v", "libtheora"]
        let files: [([String], Bool)] = [
            (tone + vorbis, false), (tone + flac, false), (two + vorbis, true), (film + vorbis, true),
        ]
        for (arguments, isFilm) in files {
            let program = PassedOver()
            let decoder = CombinedSoundDecoder(simple: PassedOver(), any: program)
            let file = try Films.make("a.ogg", arguments)
            try await decoder.decode(HeldBytes(file), track: nil) { _ in }
            #expect(program.isAsked == isFilm, "\(arguments)")
        }
    }

    @Test(
        "in Ogg give the first where FFmpeg cannot be started",
        arguments: [SoundImportError.programMissing, .notConfined]
    )
    func refused(_ reason: SoundImportError) async throws {
        let film = Films.picture + Films.generated("sine=frequency=440:duration=1")
        let file = try Films.make("a.ogg", film + ["-c:v", "libtheora", "-c:a", "libvorbis"])
        let simple = PassedOver()
        let decoder = CombinedSoundDecoder(simple: simple, any: RefusingDecoder(reason: reason))
        try await decoder.decode(HeldBytes(file), track: nil) { _ in }
        #expect(simple.isAsked)
    }

    @Test("with opposite channels are heard", arguments: [("a.m4a", "aac"), ("a.mka", "libopus"), ("a.mka", "flac")])
    func opposite(_ name: String, _ codec: String) async throws {
        let tone = "0.3*sin(2*PI*440*t)"
        let source = Films.generated("aevalsrc=\(tone)|-\(tone):s=48000:d=2")
        let heard = try await decodedByFFmpeg(try Films.make(name, source + ["-c:a", codec]))
        #expect(await heard.facts?.channels == 2)
        #expect(await heard.level(0.1..<1.8) > -16)
    }

    @Test("with many channels keep the voice in the middle")
    func surround() async throws {
        let source = Films.generated("aevalsrc=0|0|0.3*sin(2*PI*440*t)|0|0|0:c=5.1:s=48000:d=2")
        let heard = try await decodedByFFmpeg(try Films.make("a.mka", source + ["-c:a", "flac"]))
        #expect(await heard.facts?.channels == 6)
        // A sine of 0.3 has −13.5 dBFS.
        #expect(await heard.level(0.1..<1.8) > -17)
    }

    @Test("without any sound in them are no damage")
    func empty() async throws {
        let file = try Films.make("a.m4a", Films.silence + ["-t", "0", "-c:a", "aac"])
        await #expect(throws: SoundImportError.noSound) { _ = try await decodedByFFmpeg(file) }
    }
}

@Suite("The tracks of an answer of the prober")
struct ProbedTrackTests {
    private func probed(_ count: Int, preferring preferred: Int) throws -> ProbedTracks {
        let streams = (0..<count).map { #"{"index":\#($0),"disposition":{"default":\#($0 == preferred ? 1 : 0)}}"# }
        return try #require(ProbedTracks(Array(#"{"streams":[\#(streams.joined(separator: ","))]}"#.utf8)))
    }

    @Test("are listened to up to a number, and the preferred one wherever it stands")
    func searched() throws {
        let most = TrackChoice.longestSearch
        #expect(try probed(3, preferring: 1).searched == [0, 1, 2])
        #expect(try probed(most + 5, preferring: 0).searched == Array(0..<most))
        #expect(try probed(most + 5, preferring: most).searched == Array(0...most))
        #expect(try probed(most + 5, preferring: most + 3).searched == Array(0..<most) + [most + 3])
    }
}

@Suite("The measure of speech")
struct SpeechMeasureTests {
    private func measure(_ sample: (Int) -> Double) -> SpeechMeasure {
        var measure = SpeechMeasure()
        let samples = (0..<80_000).map { Int16(sample($0) * 32_767) }
        for start in stride(from: 0, to: samples.count, by: 999) {
            measure.add(Array(samples[start..<min(start + 999, samples.count)]))
        }
        return measure
    }

    @Test("counts seconds with pauses in them, not steady sound")
    func speech() {
        let tone = measure { 0.3 * sin(Double($0) * 0.3) }
        let bursts = measure { $0 % 4_000 < 1_800 ? 0.01 * sin(Double($0) * 0.3) : 0 }
        let silence = measure { _ in 0 }
        #expect((tone.speech, silence.speech) == (0, 0))
        #expect(bursts.speech >= 8)
        #expect(tone.power > bursts.power)
        #expect(SpeechMeasure.best(of: [tone, bursts, silence], preferred: 0) == 1)
        #expect(SpeechMeasure.best(of: [tone, silence], preferred: 0) == 0)
        #expect(SpeechMeasure.best(of: [silence, tone], preferred: 0) == 1)
        #expect(SpeechMeasure.best(of: [bursts, bursts], preferred: 1) == 1)
        #expect(SpeechMeasure.best(of: [], preferred: 0) == 0)
    }
}
