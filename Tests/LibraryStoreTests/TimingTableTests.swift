import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Timing table")
struct TimingTableTests {
    @Test("comes back as it was, with and without the text at hand", arguments: SampleRecording.all.map(\.text))
    func roundTrip(text: String) throws {
        var sample = SampleRecording(name: "Sample", text: text)
        sample.length = 3
        let units = Array(text.utf16)
        for known in [units, nil] {
            let data = TimingTableCodec.encode(sample.sentences, of: known)
            #expect(try TimingTableCodec.decode(data, of: known) == sample.sentences)
        }
        let other = [TimedSentence(source: 0..<3, text: "not written there", samples: 5..<9, words: [])]
        #expect(try TimingTableCodec.decode(TimingTableCodec.encode(other, of: units), of: units) == other)
    }

    @Test("that was cut or changed is damaged, and nothing worse")
    func damage() {
        let sample = SampleRecording.all[0]
        let data = TimingTableCodec.encode(sample.sentences, of: nil)
        for length in data.indices {
            #expect(throws: VaultError.self) { try TimingTableCodec.decode(data.prefix(length), of: nil) }
        }
        for index in data.indices {
            var changed = data
            changed[index] ^= 0xFF
            _ = try? TimingTableCodec.decode(changed, of: nil)  // any answer will do, but no trap
        }
    }

    @Test("comes back as it was at the end of a recording of days", arguments: [24, 1_000])
    func long(hours: Int) throws {
        let end = hours * 3_600 * 192_000
        let word = TimedWord(source: 5..<9, samples: end - 4_800..<end, precision: .exact)
        let sentences = [
            TimedSentence(source: 0..<4, text: "One.", samples: 0..<9_600, words: []),
            TimedSentence(source: 5..<9, text: "Two.", samples: end - 4_800..<end, words: [word]),
        ]
        #expect(try TimingTableCodec.decode(TimingTableCodec.encode(sentences, of: nil), of: nil) == sentences)
    }

    @Test("is damaged where its numbers are larger than those of any recording")
    func farNumbers() {
        let far = 1 << 49
        let places: [(source: Range<Int>, samples: Range<Int>)] = [
            (0..<1, 0..<Int.max), (0..<Int.max, 0..<1), (far..<far, 0..<1),
        ]
        for (source, samples) in places {
            let data = TimingTableCodec.encode(
                [TimedSentence(source: source, text: "x", samples: samples, words: [])],
                of: nil
            )
            #expect(throws: VaultError.databaseDamaged) { try TimingTableCodec.decode(data, of: nil) }
        }
    }
}
