import EchoText
import Testing

@Suite("A take beside its model")
struct TakeAlignmentTests {
    private func word(take: Range<Double>?, model: Range<Double>?) -> TakeScore.Word {
        .init(kind: take == nil ? .missed : .said, source: 0..<1, heard: nil, take: take, model: model)
    }

    private func isClose(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.000_001 }

    @Test("begins each word when the model does, with its lead")
    func words() throws {
        let words = [
            word(take: 0.3..<0.6, model: 0.1..<0.4), word(take: nil, model: 0.5..<0.9),
            word(take: 1.2..<1.6, model: 1..<1.5),
        ]
        let alignment = TakeAlignment(of: words, seconds: 2)
        try #require(alignment.pieces.count == 2 && alignment.isByWords)
        let (first, last) = (alignment.pieces[0], alignment.pieces[1])
        #expect(isClose(first.start, 0.05) && isClose(first.take.lowerBound, 0.25))
        #expect(isClose(last.start, 0.95) && isClose(last.take.lowerBound, 1.15) && isClose(last.take.upperBound, 2))
    }

    @Test("leaves out what was drawn out, so that no two words overlap")
    func drawnOut() throws {
        let words = [word(take: 0..<3, model: 0..<0.4), word(take: 3..<4, model: 0.5..<1)]
        let pieces = TakeAlignment(of: words, seconds: 4).pieces
        try #require(pieces.count == 2)
        let length = pieces[0].take.upperBound - pieces[0].take.lowerBound
        #expect(isClose(pieces[0].start + length, pieces[1].start), "one ends where the next begins")
        #expect(isClose(pieces[1].start, 0.45) && isClose(pieces[1].take.lowerBound, 2.95))
    }

    @Test("sounds as it is when no word of it is known, and takes times out of order or beyond its end")
    func unknown() {
        let unknown = [word(take: nil, model: 0.1..<0.4), word(take: 0.1..<0.4, model: nil)]
        for words in [[], unknown] {
            let alignment = TakeAlignment(of: words, seconds: 2)
            #expect(alignment.pieces.map(\.start) == [0] && alignment.pieces.map(\.take) == [0..<2])
            #expect(!alignment.isByWords)
        }
        let words = [
            word(take: 3..<4, model: 2..<3), word(take: 1..<2, model: 1..<2), word(take: 9..<10, model: 0..<1),
        ]
        let clip = AudioClip(samples: [Float](repeating: 1, count: 2_000), sampleRate: 1_000)
        let mixed = TakeAlignment(of: words, seconds: 2).mix(clip, with: clip)
        #expect(mixed.samples.count >= 2_000 && mixed.samples.allSatisfy { abs($0) <= 1 })
    }

    @Test("is mixed within both sounds, whatever times a stored score has")
    func farTimes() {
        let clip = AudioClip(samples: [Float](repeating: 1, count: 2_000), sampleRate: 1_000)
        let scores: [[TakeScore.Word]] = [
            [word(take: 0..<1e300, model: 1e300..<1e301)], [word(take: 1e300..<1e301, model: 0..<1)],
            [word(take: 0..<1, model: 1e10..<1e10), word(take: -1e300..<1e300, model: -1e300..<1)],
        ]
        for words in scores {
            let mixed = TakeAlignment(of: words, seconds: 2).mix(clip, with: clip)
            #expect((2_000...4_000).contains(mixed.samples.count))
        }
    }

    @Test("is mixed with the model in one channel, each at half of its level and without clicks")
    func mixed() {
        let model = AudioClip(samples: [Float](repeating: 0.5, count: 1_000), sampleRate: 1_000)
        var take = AudioClip(samples: [Float](repeating: 0, count: 1_500), sampleRate: 1_000)
        for index in 700..<1_000 { take.samples[index] = 1 }
        let words = [word(take: 0.7..<1, model: 0.2..<0.5)]
        let mixed = TakeAlignment(of: words, seconds: 1.5).mix(model, with: take)
        #expect(mixed.sampleRate == 1_000 && mixed.samples.count == 1_000)
        #expect(mixed.samples[..<200].allSatisfy { $0 == 0.25 })
        #expect(mixed.samples[200..<500].allSatisfy { $0 == 0.75 }, "the word begins with the model's")
        #expect(mixed.samples[500...].allSatisfy { $0 == 0.25 })

        let whole = TakeAlignment(of: [], seconds: 1.5).mix(
            AudioClip(samples: [], sampleRate: 1_000),
            with: AudioClip(samples: [Float](repeating: 1, count: 1_500), sampleRate: 1_000)
        )
        #expect(whole.samples.count == 1_500 && whole.samples.first == 0 && whole.samples.last == 0)
        #expect(whole.samples[10..<1_490].allSatisfy { $0 == 0.5 })
    }
}
