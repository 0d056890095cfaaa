import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("The edges of a part that is heard again")
struct PauseSearchTests {
    /// Windows of speech, `-` for silence.
    private func windows(_ text: String) -> [Bool] { text.map { $0 != "-" } }

    @Test(
        "move to the next pause, and a margin into it",
        arguments: [
            ("xxxxx----------------------xx", 2, 13), ("xxxxx----------xx", 2, 10), ("xx---xx--------xx", 1, 11),
        ]
    )
    func next(text: String, edge: Int, place: Int) {
        #expect(PausePlace.next(to: edge, in: windows(text), reachesEnd: false) == place)
    }

    @Test("stay in a pause, at its ends as well", arguments: [3, 6, 11])
    func stay(edge: Int) {
        #expect(PausePlace.next(to: edge, in: windows("xxx--------xxx---------xx"), reachesEnd: false) == nil)
    }

    @Test("move to the longest silence where there is no pause, and stay where there is none either")
    func quiet() {
        #expect(PausePlace.next(to: 1, in: windows("xx---xx-----xx----xx"), reachesEnd: false) == 9)
        #expect(PausePlace.next(to: 1, in: windows("xx--xx--xx"), reachesEnd: false) == nil)
        #expect(PausePlace.next(to: 1, in: windows("---xx--xx"), reachesEnd: false) == nil)
    }

    @Test("move to the end of the sound, which is a pause of any length")
    func end() {
        #expect(PausePlace.next(to: 1, in: windows("xxxx"), reachesEnd: true) == 4)
        #expect(PausePlace.next(to: 1, in: windows("xxxx--"), reachesEnd: true) == 5)
        #expect(PausePlace.next(to: 5, in: windows("xxxx--"), reachesEnd: true) == nil)
        #expect(PausePlace.next(to: 0, in: [], reachesEnd: true) == 0)
    }

    /// Speech at 2–14, 16–28 and 30–42 s of a recording of 44 s.
    private func reader(rate: Int = RecognitionClip.sampleRate) async throws -> RecordingReader {
        let library = MemoryVault().library
        var samples = [Int16](repeating: 0, count: 2 * rate)
        for _ in 0..<3 {
            samples += (0..<12 * rate).map { Int16(8_000 * sin(Double($0) / 20)) }
            samples += [Int16](repeating: 0, count: 2 * rate)
        }
        let order = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
        let session = try await library.recordings.begin(order)
        try await library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
        let item = try await library.recordings.finish(session.id)
        return try await RecordingReader(of: library.audio.sound(of: item.id))
    }

    @Test("lie in pauses of the sound, at any sample rate", arguments: [16_000, 48_000])
    func sound(rate: Int) async throws {
        let search = PauseSearch(in: try await reader(rate: rate), with: .scripted())
        let part = try await search.part(around: 20..<25, between: [])
        #expect(part.lowerBound > 14.5 && part.lowerBound < 16, "\(part)")
        #expect(part.upperBound > 28 && part.upperBound < 29.5, "\(part)")
        #expect(try await search.part(around: 15..<29, between: []) == 15..<29)
        #expect(try await search.part(around: 0..<44, between: []) == 0..<44)
    }

    @Test("stay at those of the version's segments, which cut no word")
    func segments() async throws {
        let search = PauseSearch(in: try await reader(), with: .scripted())
        let segments = [TranscriptSegment(time: 16..<20), TranscriptSegment(time: 25..<28)]
        #expect(try await search.part(around: 20..<25, between: segments) == 20..<25)
    }

    @Test("move into no other segment with words, which stay")
    func neighbors() async throws {
        let search = PauseSearch(in: try await reader(), with: .scripted())
        let segments = [
            TranscriptSegment(time: 16..<19, text: "one two"), TranscriptSegment(time: 19..<26, text: "three"),
            TranscriptSegment(time: 26..<28, text: "four"),
        ]
        #expect(try await search.part(around: 20..<25, between: segments) == 19..<26)
    }

    @Test("stay where no pause is near")
    func far() async throws {
        let search = PauseSearch(in: try await reader(), with: ScriptedTools.noisy)
        #expect(try await search.part(around: 20..<25, between: []) == 20..<25)
    }
}

private enum ScriptedTools {
    /// Tools whose detector takes everything for speech.
    static let noisy = TranscriptionTools(
        recognizer: ScriptedRecognizer(),
        detector: ScriptedDetector(bound: -200),
        diarizer: ScriptedDiarizer(),
        paces: MemoryPaces(),
        conversion: { _, _ in throw RecognitionError.recognizerDied },
        digest: { _ in "" }
    )
}
