import EchoText
import Foundation
import Testing

@Suite("A chunk of a recording")
struct RecordingChunkTests {
    private let sound = (0..<40_000).map { Int16(truncatingIfNeeded: ($0 * $0) >> 3) }

    @Test("is found in the sound that has it, wherever it stands", arguments: [0, 1, 19_999, 36_000])
    func found(_ start: Int) throws {
        #expect(try RecordingChunk(number: 0, samples: Array(sound[start..<start + 4_000])).isIn(sound))
    }

    @Test("is not found where one sample differs, or it is longer")
    func different() throws {
        for place in [0, 2_000, 3_999] {
            var samples = Array(sound[19_000..<23_000])
            samples[place] &+= 1
            #expect(try !RecordingChunk(number: 0, samples: samples).isIn(sound))
        }
        #expect(try !RecordingChunk(number: 0, samples: sound + [0]).isIn(sound))
        #expect(try RecordingChunk(number: 0, samples: sound).isIn(sound))
    }

    @Test("is where it stands for the first time")
    func place() throws {
        let chunk = try RecordingChunk(number: 0, samples: Array(sound[7_000..<8_000]))
        #expect(chunk.place(in: sound) == 7_000 && chunk.place(in: Array(sound[7_001...])) == nil)
        #expect(chunk.place(in: chunk.samples + chunk.samples) == 0)
    }

    @Test("is distinct unless it is silent or short")
    func distinct() throws {
        func isDistinct(_ samples: [Int16]) throws -> Bool {
            try RecordingChunk(number: 0, samples: samples).isDistinct
        }
        let silence = [Int16](repeating: 5, count: 4_000)
        #expect(try isDistinct(Array(sound[0..<4_000])))
        #expect(try isDistinct(silence + sound[19_000..<19_100]))
        #expect(try !isDistinct(silence))
        #expect(try !isDistinct(silence + [6] + silence))
        #expect(try !isDistinct(Array(sound[19_000..<19_040])))
        #expect(try !isDistinct([1]))
    }

    @Test("is looked for in as much sound as may have followed it")
    func tail() throws {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
        var session = RecordingSession(created: .distantPast, order: order)
        (session.samples, session.nextChunk) = (2_000_000, 1_000)
        let samples = [Int16](repeating: 1, count: 2_000)
        #expect(try RecordingChunk(number: 999, samples: samples).tail(of: session) == 8_000)
        #expect(try RecordingChunk(number: 990, samples: samples).tail(of: session) == 80_000)
        #expect(try RecordingChunk(number: 0, samples: samples).tail(of: session) == 960_000)
        session.samples = 1_000
        #expect(try RecordingChunk(number: 0, samples: samples).tail(of: session) == 1_000)
    }
}
