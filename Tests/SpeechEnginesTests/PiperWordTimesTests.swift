import EchoText
import Testing

@testable import SpeechEngines

@Suite("Fragments of words")
struct PiperWordTimesTests {
    private func fragments(_ times: [Int], words: [Range<Int>], pieces: [Int]) -> [SpeechFragment] {
        let words = words.enumerated().map { index, symbols in
            PiperPhonemes.Word(
                source: index * 10..<index * 10 + 5,
                weight: 1,
                place: .init(symbols: symbols, isCertain: true)
            )
        }
        var fragments = PiperWordTimes(words, times: times, sampleRate: 100)
        var made: [SpeechFragment] = []
        var sample: Float = 0
        for piece in pieces {
            let stretch = (0..<piece).map { _ in
                sample += 1
                return sample
            }
            if let fragment = fragments.add(stretch) { made.append(fragment) }
        }
        if let last = fragments.finish() { made.append(last) }
        return made
    }

    @Test(
        "hold whole words, all of the sound in its order, and end open but for the last",
        arguments: [1, 7, 10, 33, 100]
    )
    func wholeWords(piece: Int) {
        let pieces = Array(repeating: piece, count: 100 / piece) + [100 % piece]
        let made = fragments([5, 20, 25, 60, 70, 90], words: [0..<1, 2..<3, 4..<5], pieces: pieces)
        #expect(made.flatMap(\.clip.samples) == (1...100).map(Float.init))
        #expect(made.flatMap(\.marks).map(\.source) == [0..<5, 10..<15, 20..<25])
        #expect(made.dropLast().allSatisfy { $0.continues })
        #expect(made.last?.continues == false)
        var passed = 0
        var heard: [Range<Int>] = []
        for fragment in made {
            for mark in fragment.marks {
                #expect(mark.samples.upperBound <= fragment.clip.samples.count)
                heard.append(mark.samples.lowerBound + passed..<mark.samples.upperBound + passed)
            }
            passed += fragment.clip.samples.count
        }
        #expect(heard == [5..<20, 25..<60, 70..<90])
    }

    @Test("come as soon as a word is whole")
    func comeAsSoon() {
        let made = fragments([0, 10, 12, 30, 30, 50], words: [0..<1, 2..<3, 4..<5], pieces: [11, 25, 14])
        #expect(made.map(\.clip.samples.count) == [11, 19, 20])
    }

    @Test("are one when there are no words")
    func oneWhenThere() {
        #expect(fragments([0, 10], words: [], pieces: [5, 5]).map(\.clip.samples.count) == [10])
    }
}
