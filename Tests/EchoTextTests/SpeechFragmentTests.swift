import EchoText
import Testing

@Suite("A fragment of speech")
struct SpeechFragmentTests {
    private static func fragment(_ samples: [Float], word: Int, at range: Range<Int>) -> SpeechFragment {
        SpeechFragment(
            clip: AudioClip(samples: samples, sampleRate: 8_000),
            marks: [.init(source: word..<word + 1, samples: range, precision: .exact)]
        )
    }

    private let one = fragment([1, 2, 3], word: 0, at: 1..<3)
    private let two = fragment([4, 5], word: 1, at: 0..<2)

    @Test("is joined with others in their order, and its words are heard that much later")
    func joined() {
        let whole = SpeechFragment(joining: [one, two])
        #expect(whole?.clip.samples == [1, 2, 3, 4, 5])
        #expect(whole?.marks.map(\.samples) == [1..<3, 3..<5])
        #expect(SpeechFragment(joining: [one]) == one)
        #expect(SpeechFragment(joining: []) == nil)
    }

    @Test(
        "gives a part of itself, in which words outside have no length",
        arguments: [(0..<9, [1, 2, 3], 1..<3), (1..<2, [2], 0..<1), (0..<1, [1], 1..<1), (2..<3, [3], 0..<1)]
    )
    func part(_ range: Range<Int>, samples: [Float], word: Range<Int>) {
        let part = one.part(range)
        #expect(part.clip.samples == samples)
        #expect(part.marks.map(\.samples) == [word])
        #expect(one.clip.samples == [1, 2, 3])
    }
}
