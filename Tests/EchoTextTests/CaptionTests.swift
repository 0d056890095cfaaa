import EchoText
import EchoTextTesting
import Testing

@Suite("Captions")
struct CaptionTests {
    private func words(_ text: String, each: Double = 0.4, gap: Double = 0.1) -> [Caption.Word] {
        text.split(separator: " ").enumerated().map { index, word in
            let start = Double(index) * (each + gap)
            return Caption.Word(text: String(word), time: start..<start + each)
        }
    }

    private func check(_ captions: [Caption], _ words: [Caption.Word]) {
        let said = captions.flatMap(\.lines).joined(separator: " ")
        #expect(said.filter { $0 != " " } == words.map(\.text).joined(), "every word is shown, once")
        for caption in captions {
            #expect((1...2).contains(caption.lines.count))
            #expect(caption.lines.allSatisfy { !$0.isEmpty && $0.count <= 42 && $0 == $0.withSingleSpaces })
            #expect(caption.time.upperBound - caption.time.lowerBound <= 7.001)
            #expect(!caption.time.isEmpty)
        }
        for (one, next) in zip(captions, captions.dropFirst()) {
            #expect(one.time.upperBound <= next.time.lowerBound)
        }
    }

    @Test("have at most two lines of 42 characters, last at most 7 seconds and do not overlap", arguments: 0..<40)
    func limits(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        var time = 0.0
        let words = (0..<150).map { _ in
            let length = Double.random(in: 0...1.2, using: &random)
            let letters = Int.random(in: 1...(seed % 5 == 0 ? 100 : 14), using: &random)
            let end = ["", "", "", ",", "."].randomElement(using: &random) ?? ""
            defer { time += length + [0, 0, 0.2, 3][Int.random(in: 0..<4, using: &random)] }
            // Words of some recognizers overlap.
            let early = seed % 3 == 0 ? 0.3 : 0
            return Caption.Word(
                text: String(repeating: "x", count: letters) + end,
                time: max(0, time - early)..<time + length
            )
        }
        check(Caption.captions(of: words), words)
    }

    @Test("of nothing are none")
    func none() {
        #expect(Caption.captions(of: []).isEmpty)
    }

    @Test("end at a long pause")
    func pause() {
        var spoken = words("one two")
        spoken.append(Caption.Word(text: "three", time: 4..<4.5))
        let captions = Caption.captions(of: spoken)
        #expect(captions.map(\.lines) == [["one two"], ["three"]])
        #expect(captions.map(\.time.lowerBound) == [0, 4])
    }

    @Test("end with a sentence rather than in one")
    func sentences() {
        let text =
            "We went to the market in the early morning. It was cold and nobody was there yet, so we waited for a while."
        let captions = Caption.captions(of: words(text, each: 0.2, gap: 0.05))
        #expect(captions[0].lines.last?.hasSuffix("morning.") == true)
        check(captions, words(text))
    }

    @Test("of two lines have lines of about one length")
    func balance() {
        let text = "It is the one thing that everybody in the room knew well"
        let lines = Caption.captions(of: words(text, each: 0.2, gap: 0))[0].lines
        #expect(lines.count == 2)
        #expect(abs(lines[0].count - lines[1].count) < 10)
    }

    @Test("stay long enough to be read, where the next leaves time for it")
    func shortest() {
        let alone = Caption.captions(of: [Caption.Word(text: "Yes.", time: 1..<1.2)])
        #expect(alone[0].time == 1..<1 + 5.0 / 6)
        let bounded = Caption.captions(of: [Caption.Word(text: "Yes.", time: 1..<1.2)], until: 1.5)
        #expect(bounded[0].time == 1..<1.5)
    }

    // MARK: What users of other programs report

    @Test("begin with their first word, not with the sentence before")
    func beginWithWords() {
        let captions = Caption.captions(of: [Caption.Word(text: "Second", time: 61.8..<62.4)], from: 61.631)
        #expect(captions.map(\.time.lowerBound) == [61.8])
    }

    @Test("of words that overlap do not")
    func overlappingWords() {
        let spoken = [
            Caption.Word(text: "Hello", time: 0.1..<1.538), Caption.Word(text: "world", time: 0.787..<2.275),
        ]
        #expect(Caption.captions(of: spoken) == [Caption(lines: ["Hello world"], time: 0.1..<2.275)])
    }

    @Test("do not last through the silence between two words, and words without a length are shown")
    func silence() {
        let said: [(String, Range<Double>)] = [
            ("Come", 823.31..<823.59), ("with", 823.59..<823.59), ("me.", 823.59..<824.11), ("From", 824.83..<825.43),
            ("now", 888.98..<889.48), ("on,", 889.48..<890.06), ("you", 890.06..<891.0), ("will", 891.0..<891.24),
            ("work", 891.24..<891.24), ("with", 891.24..<891.24), ("them.", 891.24..<891.54),
        ]
        let spoken = said.map { Caption.Word(text: $0.0, time: $0.1) }
        let captions = Caption.captions(of: spoken)
        check(captions, spoken)
        #expect(captions.map(\.lines) == [["Come with me."], ["From"], ["now on, you will work with them."]])
        let (first, second) = (823.31 + Caption.shortest, 824.83 + Caption.shortest)
        let times: [Range<Double>] = [823.31..<first, 824.83..<second, 888.98..<891.54]
        #expect(captions.map(\.time) == times)
    }

    @Test("of a word that lasts for half an hour end in seven seconds and before the next")
    func endlessWord() {
        let spoken = [
            Caption.Word(text: "remains", time: 18_882.82..<20_806.32),
            Caption.Word(text: "correct", time: 18_890.42..<18_895.71),
        ]
        let captions = Caption.captions(of: spoken)
        check(captions, spoken)
        #expect(captions.map(\.time.lowerBound) == [18_882.82, 18_890.42])
    }

    @Test("of Chinese have at most 16 characters a line, without spaces")
    func chinese() {
        let text = String(repeating: "今天天气很好我们去公园", count: 6)
        let words = text.enumerated().map { index, character in
            Caption.Word(text: String(character), time: Double(index) * 0.2..<Double(index + 1) * 0.2, isApart: false)
        }
        let captions = Caption.captions(of: words)
        #expect(captions.flatMap(\.lines).joined() == text)
        #expect(captions.flatMap(\.lines).allSatisfy { $0.count <= 16 })
    }
}

extension String {
    fileprivate var withSingleSpaces: String { split(separator: " ").joined(separator: " ") }
}
