import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("Speech in which no word was heard")
struct UnrecognizedSpeechTests {
    private static let rate = RecognitionClip.sampleRate

    /// A clip whose windows are speech where `isSpeech` says so of their times.
    private func clip(_ seconds: Double, isSpeech: (Double) -> Bool = { _ in true }) -> SpeechClip {
        let count = Int(seconds * Double(Self.rate))
        let windows = (0..<count / VoiceWindow.samples).map { place in
            let time = Double(place * VoiceWindow.samples) / Double(Self.rate)
            return VoiceWindow(isSpeech: isSpeech(time), level: -20)
        }
        return SpeechClip(range: 0..<count, windows: windows)
    }

    /// Words at some times.
    private func heard(_ times: Range<Double>...) -> RecognizedSpeech {
        let words = times.enumerated().map { index, time in
            RecognizedWord(source: 2 * index..<2 * index + 1, start: time.lowerBound, end: time.upperBound)
        }
        let text = times.map { _ in "w" }.joined(separator: " ")
        return RecognizedSpeech(text: text, words: words, timing: .tokens)
    }

    private func isNear(_ range: Range<Double>?, _ wanted: Range<Double>) -> Bool {
        guard let range else { return false }
        return abs(range.lowerBound - wanted.lowerBound) < 0.07 && abs(range.upperBound - wanted.upperBound) < 0.07
    }

    @Test
    func `is found behind, before and between words`() {
        let after = UnrecognizedSpeech.gaps(in: clip(10), after: heard(0..<1, 1..<2))
        #expect(after.count == 1 && isNear(after.first, 2.3..<10))
        let between = UnrecognizedSpeech.gaps(in: clip(20), after: heard(6..<7, 14..<15))
        #expect(between.count == 3 && isNear(between.first, 0..<5.7) && isNear(between.last, 15.3..<20))
        let all = UnrecognizedSpeech.gaps(in: clip(10), after: RecognizedSpeech(text: ""))
        #expect(all.count == 1 && isNear(all.first, 0..<10))
    }

    @Test
    func `is not found where words follow each other, in a moment, in silence, and in words enough without times`() {
        #expect(UnrecognizedSpeech.gaps(in: clip(4), after: heard(0..<1, 1.5..<2, 3..<4)).isEmpty)
        #expect(UnrecognizedSpeech.gaps(in: clip(10) { $0 < 3 }, after: heard(0..<1, 1..<2)).isEmpty)
        let slow = RecognizedSpeech(text: "these are words without any times, said slowly, after pauses")
        #expect(UnrecognizedSpeech.gaps(in: clip(10), after: slow).isEmpty)
        #expect(UnrecognizedSpeech.gaps(in: SpeechClip(range: 0..<100, windows: []), after: heard(0..<1)).isEmpty)
    }

    @Test
    func `continues over a short pause`() {
        let short = clip(10) { $0 < 1.2 || (1.5..<2.7).contains($0) }
        #expect(UnrecognizedSpeech.gaps(in: short, after: RecognizedSpeech(text: "")).count == 1)
        let long = clip(10) { $0 < 1.2 || (3..<4.2).contains($0) }
        #expect(UnrecognizedSpeech.gaps(in: long, after: RecognizedSpeech(text: "")).isEmpty)
    }

    @Test
    func `is found where only signs were heard`() {
        #expect(UnrecognizedSpeech.gaps(in: clip(10), after: RecognizedSpeech(text: "… ♪")).count == 1)
    }

    @Test(arguments: [
        ("words without times", 3.4), ("S. M. I. T. H.", 4.0), ("no 1985", 4.0), ("今天天气很好", 3.6),
        ("ሰላም ለዓለም", 4.2),
    ])
    func `is what is left where words without times are few, as if they were said slowly`(text: String, end: Double) {
        let gaps = UnrecognizedSpeech.gaps(in: clip(10), after: RecognizedSpeech(text: text))
        #expect(gaps.count == 1 && isNear(gaps.first, end..<10), "\(gaps)")
        #expect(UnrecognizedSpeech.gaps(in: clip(end + 2.8), after: RecognizedSpeech(text: text)).isEmpty)
    }

    @Test
    func `is not found in recordings of people whose words have no times`() {
        // Their letters and seconds of speech, pauses left out.
        let jfk =
            "And so my fellow Americans, ask not what your country can do for you, ask what you can do for your country."
        let austen = """
            and Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them
            """
        for (text, seconds) in [(jfk, 7.1), (austen, 6.5)] {
            let clip = clip(seconds)
            #expect(UnrecognizedSpeech.gaps(in: clip, after: RecognizedSpeech(text: text)).isEmpty)
            #expect(!UnrecognizedSpeech.lacksWords(text, in: clip))
        }
    }

    @Test(arguments: ["[Music]", "(applause).", "♪ La la la ♪", "*laughs*", "（音楽）", "【拍手】。"])
    func `is not found where a sound is named`(note: String) {
        #expect(UnrecognizedSpeech.gaps(in: clip(10), after: RecognizedSpeech(text: note)).isEmpty)
        #expect(!UnrecognizedSpeech.lacksWords(note, in: clip(10)))
        let song = passages((note, 0..<10), ("Yes.", 10..<11))
        #expect(UnrecognizedSpeech.settled(song, in: clip(11)) == song)
    }

    /// Words that share the time of a passage each, as a Whisper without looks and many services report them.
    private func passages(_ passages: (text: String, time: Range<Double>)...) -> RecognizedSpeech {
        var (text, words) = ("", [RecognizedWord]())
        for passage in passages {
            let parts = passage.text.split(separator: " ")
            let share = (passage.time.upperBound - passage.time.lowerBound) / Double(parts.count)
            for (number, part) in parts.enumerated() {
                if !text.isEmpty { text += " " }
                let start = passage.time.lowerBound + Double(number) * share
                words.append(
                    RecognizedWord(
                        source: text.utf16.count..<text.utf16.count + part.utf16.count,
                        start: start,
                        end: start + share,
                        isEstimated: true,
                        passage: passage.time
                    )
                )
                text += part
            }
        }
        return RecognizedSpeech(text: text, words: words, timing: .segments)
    }

    @Test
    func `is found at the end of a passage that lasts much longer than its words`() {
        let sparse = passages(("One two three.", 0..<12), ("That is what she said yesterday.", 12..<15))
        let settled = UnrecognizedSpeech.settled(sparse, in: clip(15))
        #expect(settled.text == sparse.text && settled.isPossible(in: 15))
        #expect(settled.words[2].end < 2.7 && settled.words[3] == sparse.words[3])
        let gaps = UnrecognizedSpeech.gaps(in: clip(15), after: settled)
        #expect(gaps.count == 1 && isNear(gaps.first, 2.9..<11.7), "\(gaps)")
    }

    @Test
    func `is found in a passage of signs`() {
        let sparse = passages(("Good morning to you.", 0..<3), ("…", 3..<12))
        let gaps = UnrecognizedSpeech.gaps(in: clip(12), after: UnrecognizedSpeech.settled(sparse, in: clip(12)))
        #expect(gaps.count == 1 && isNear(gaps.first, 3.3..<12), "\(gaps)")
    }

    @Test
    func `is not found where passages have words enough, or the next one has those that a stamp has cut off`() {
        let dense = passages(("One two three four five six seven eight nine ten.", 0..<5))
        #expect(UnrecognizedSpeech.settled(dense, in: clip(5)) == dense)
        let late = passages(
            ("Yes.", 0..<6),
            ("We went there with all of them in the evening, and nobody had anything to say about that.", 6..<9)
        )
        #expect(UnrecognizedSpeech.settled(late, in: clip(9)) == late, "the stamp is wrong")
        let pause = passages(("One two three.", 0..<12))
        #expect(UnrecognizedSpeech.settled(pause, in: clip(12) { $0 < 3 }) == pause, "silence")
        let exact = heard(0..<9)
        #expect(UnrecognizedSpeech.settled(exact, in: clip(9)) == exact, "the recogniser's own time")
    }

    @Test
    func `is not found between words with times where the text has others without`() {
        func ends(of text: String) -> RecognizedSpeech {
            let words = [(0..<2, 0.0), (text.utf16.count - 5..<text.utf16.count, 8.5)].map { source, start in
                RecognizedWord(source: source, start: start, end: start + 0.5)
            }
            return RecognizedSpeech(text: text, words: words, timing: .words)
        }
        let many = ends(of: "We went there by train, and came home late.")
        #expect(UnrecognizedSpeech.gaps(in: clip(9), after: many).isEmpty)
        let few = UnrecognizedSpeech.gaps(in: clip(9), after: ends(of: "We went – … – late."))
        #expect(few.count == 1 && isNear(few.first, 1.6..<8.2), "\(few)")
        let begun = RecognizedSpeech(
            text: "so we went there by train",
            words: [RecognizedWord(source: 0..<2, start: 0, end: 0.5)],
            timing: .words
        )
        #expect(UnrecognizedSpeech.gaps(in: clip(6), after: begun).isEmpty)
    }

    // MARK: - Hearing again

    private func hear(
        in clip: SpeechClip? = nil,
        _ script: @escaping ScriptedRecognizer.Script
    ) async throws -> (ClipRecognition.RecognizedClip, [AudioClip]) {
        let recognizer = ScriptedRecognizer(script: script)
        let session = try await recognizer.open(ScriptedRecognizer.standard.id, RecognitionSettings())
        let recognized = try await ClipRecognition(by: session).recognize(
            clip ?? self.clip(10),
            .noise(10, amplitude: 0.1)
        )
        await session.close()
        return (recognized, recognizer.requests.map(\.clip))
    }

    @Test
    func `is heard again, and what is heard stands in its place`() async throws {
        let first = heard(0..<1, 8..<9)
        let (result, clips) = try await hear { clip, number, _ in
            number == 0 ? first : ScriptedRecognizer.speech("four five", in: clip.seconds)
        }
        let speech = result.speech
        #expect(speech.text == "w four five w" && result.gaps.isEmpty)
        #expect(speech.isPossible(in: 10), "\(speech)")
        #expect(speech.words.count == 4 && speech.words[1].start > 1.2 && speech.words[2].end < 7.8)
        #expect(clips.count == 2 && abs(clips[1].seconds - 6.4) < 0.1)
    }

    @Test
    func `is heard again with the silence around it, and not with the speech`() async throws {
        let quiet = clip(10) { (2..<5).contains($0) || (5.1..<8).contains($0) }
        let first = heard(7..<8)
        let (result, clips) = try await hear(in: quiet) { clip, number, _ in
            number == 0 ? first : ScriptedRecognizer.speech("four five", in: clip.seconds)
        }
        #expect(result.speech.text == "four five w" && result.gaps.isEmpty)
        #expect(clips.count == 2 && abs(clips[1].seconds - 4.95) < 0.1, "from 0.256 s before it up to the word")
        #expect((result.speech.words.first?.start ?? 0) >= 1.7)
    }

    @Test
    func `is a gap where only a part of it is understood again`() async throws {
        let (first, word) = (heard(0..<2), heard(0..<1))
        let (result, clips) = try await hear { _, number, _ in number == 0 ? first : word }
        #expect(result.speech.words.count == 2 && clips.count == 2)
        #expect(result.gaps.count == 1 && isNear(result.gaps.first, 3.6..<10))
    }

    @Test
    func `is a gap when it is not understood again`() async throws {
        let first = heard(0..<2)
        let (result, clips) = try await hear { _, number, _ in number == 0 ? first : RecognizedSpeech(text: "") }
        #expect(result.speech == first && clips.count == 2)
        #expect(result.gaps.count == 1 && isNear(result.gaps.first, 2.3..<10))
    }

    @Test(arguments: ["...", "♪ ♪", "–"])
    func `is a gap when only signs are heard, which cost no word its time`(signs: String) async throws {
        let first = heard(0..<2)
        let (result, _) = try await hear { _, number, _ in number == 0 ? first : RecognizedSpeech(text: signs) }
        #expect(result.speech == first && result.gaps.count == 1)
        let (nothing, clips) = try await hear { _, _, _ in RecognizedSpeech(text: signs) }
        #expect(nothing.speech.text.isEmpty && nothing.gaps.count == 1 && clips.count == 2)
        let passage = passages(("...", 0..<10))
        let (silent, _) = try await hear { _, number, _ in number == 0 ? passage : RecognizedSpeech(text: signs) }
        #expect(silent.speech.text.isEmpty && silent.speech.words.isEmpty && silent.gaps.count == 1)
    }

    @Test
    func `follows what was heard before it where there are no times`() async throws {
        let (result, clips) = try await hear(in: clip(10) { $0 < 3 || (4..<8).contains($0) }) { _, number, _ in
            RecognizedSpeech(text: ["", "one two", "three four"][number])
        }
        #expect(result.speech.text == "one two three four" && result.speech.words.isEmpty)
        #expect(result.gaps.isEmpty && clips.count == 3)
    }

    @Test
    func `is a gap in the half of a clip in which there is no word, where words have no times`() async throws {
        let (result, clips) = try await hear { _, number, _ in
            RecognizedSpeech(text: number < 2 ? "one two three four five" : "")
        }
        #expect(result.speech.text == "one two three four five")
        #expect(result.gaps.count == 1 && isNear(result.gaps.first, 3.328..<10), "\(result.gaps)")
        #expect(clips.count == 4, "the whole, its halves, and the second of them again")
    }

    @Test
    func `is heard again behind the words of a passage that lasts too long`() async throws {
        let first = passages(("One two three.", 0..<10))
        let (result, clips) = try await hear { clip, number, _ in
            number == 0 ? first : ScriptedRecognizer.speech("four five six seven", in: clip.seconds)
        }
        #expect(result.speech.text == "One two three. four five six seven" && result.gaps.isEmpty)
        #expect(result.speech.isPossible(in: 10) && clips.count == 2)
    }

    @Test
    func `is not written twice where a passage has lasted as long as it said`() async throws {
        let sung = passages(("Amazing grace, how sweet the sound.", 0..<10))
        for (again, text) in [
            ("the sound", "Amazing grace, how sweet the sound"),
            ("The sound that saved a wretch", "Amazing grace, how sweet The sound that saved a wretch"),
            ("sound", "Amazing grace, how sweet the sound"),
            ("so said they", "Amazing grace, how sweet the sound. so said they"),
        ] {
            let (result, _) = try await hear { clip, number, _ in
                number == 0 ? sung : ScriptedRecognizer.speech(again, in: clip.seconds)
            }
            #expect(result.speech.text == text && result.gaps.isEmpty)
            #expect(result.speech.isPossible(in: 10) && result.speech.words.count == text.split(separator: " ").count)
            #expect((result.speech.words.last?.end ?? 0) > 9)
        }
    }

    @Test
    func `is written twice where it is said twice`() async throws {
        let said = passages(("Thank you all.", 0..<2), ("Good night.", 8..<10))
        let (result, _) = try await hear { clip, number, _ in
            number == 0 ? said : ScriptedRecognizer.speech("Thank you all so much", in: clip.seconds)
        }
        #expect(result.speech.text == "Thank you all. Thank you all so much Good night." && result.gaps.isEmpty)
        #expect(result.speech.isPossible(in: 10))
    }

    @Test
    func `leaves the signs between words where they are`() {
        let words = [(2..<3, 0.0), (6..<7, 8.0)].map { source, start in
            RecognizedWord(source: source, start: start, end: start + 1)
        }
        let speech = RecognizedSpeech(text: "– a – b …", words: words, timing: .tokens)
        let other = heard(0..<1)
        for (seconds, text) in [(2.0, "– a – w b …"), (9.5, "– a – b … w")] {
            let joined = speech.inserting(other, after: seconds)
            #expect(joined.text == text && joined.words.count == 3 && joined.isPossible(in: 20), "\(joined)")
            let units = Array(joined.text.utf16)
            #expect(joined.words.allSatisfy { $0.source.count == 1 && units[$0.source.lowerBound] >= 97 })
        }
        let late = RecognizedWord(source: 2..<3, start: 8, end: 9)
        let begun = RecognizedSpeech(text: "– b", words: [late], timing: .tokens)
        #expect(begun.inserting(other, after: 3).text == "w – b")
    }

    // MARK: - Marks

    /// The segments of a clip with two words, and a gap.
    private func segments(from offset: Double = 0, _ gap: Range<Double>) -> [TranscriptSegment] {
        var assembly = TranscriptAssembly(offset: offset)
        return assembly.add(heard(0..<1, 8..<9), of: clip(10), gaps: [gap])
    }

    @Test
    func `is marked between segments, before and after them`() throws {
        let between = segments(from: 100, 2..<7)
        #expect(between.map(\.kind) == [.speech, .notUnderstood, .speech])
        #expect(between[1].time == 102..<107 && between[1].text.isEmpty)
        #expect(segments(9.5..<12).map(\.kind) == [.speech, .speech, .notUnderstood])
        #expect(segments(1..<1.5).map(\.kind) == [.speech, .speech], "a moment")
        let transcript = Transcript.of(between)
        try transcript.check(duration: 200)
        #expect(transcript.gaps == [between[1]] && transcript.wordCount == 2)
    }

    @Test
    func `has no words where they have no times`() {
        var assembly = TranscriptAssembly()
        let clip = clip(10) { $0 < 3 || (4..<8).contains($0) }
        let segments = assembly.add(RecognizedSpeech(text: "one two"), of: clip, gaps: [4..<8])
        #expect(segments.map(\.kind) == [.speech, .notUnderstood])
        #expect(segments[0].time.upperBound < 3.1 && segments[1].time == 4..<8)
    }

    @Test
    func `ends where the next clip has understood it`() {
        var assembly = TranscriptAssembly()
        let windows = clip(10).windows
        let first = SpeechClip(range: 0..<160_000, windows: windows, overlapsNext: true)
        #expect(assembly.add(heard(0..<1), of: first, gaps: [3..<10]).isEmpty)
        let next = SpeechClip(range: 144_000..<304_000, windows: windows, overlapsPrevious: true)
        let joined = assembly.add(heard(0.2..<1.2), of: next)
        #expect(joined.map(\.kind) == [.speech, .notUnderstood, .speech])
        #expect(joined[1].time.lowerBound == 3 && joined[1].time.upperBound == joined[2].time.lowerBound)
    }

    @Test
    func `is noted in exports`() {
        let transcript = Transcript.of([
            TranscriptSegment(time: 0..<1, text: "Hello."), TranscriptSegment(kind: .notUnderstood, time: 1..<8),
            TranscriptSegment(time: 8..<9, text: "Bye."),
        ])
        let written = WrittenTranscript(transcript, title: "Talk")
        #expect(written.plainText == "Hello.\n\n[not understood, 0:07]\n\nBye.\n")
        #expect(written.markdown.contains("\n\\[not understood, 0:07\\]\n"))
        #expect(written.table.contains("1.000,8.000,,\"[not understood, 0:07]\"\r\n"))
        #expect(written.json.contains(#""kind":"notUnderstood""#))
        #expect(!written.captions(.subRip).contains("understood") && transcript.text == "Hello.\nBye.")
    }

    @Test
    func `is a comment in WebVTT, between the captions before and after it and the marks`() {
        let transcript = Transcript.of([
            TranscriptSegment(kind: .notUnderstood, time: 0..<2), TranscriptSegment(time: 2..<2.2, text: "Hello."),
            TranscriptSegment(kind: .notUnderstood, time: 2.3..<9.6), TranscriptSegment(time: 10..<11, text: "Bye."),
            TranscriptSegment(kind: .notUnderstood, time: 11..<72),
        ])
        let marks = [WrittenTranscript.Mark(seconds: 5, label: "here")]
        let blocks = WrittenTranscript(transcript, title: "Talk", marks: marks).captions(.webVTT)
            .components(separatedBy: "\n\n")
        #expect(blocks[0] == "WEBVTT" && blocks[1] == "NOTE not understood at 0:00, 0:02")
        #expect(blocks[2].hasSuffix("Hello.") && blocks[3] == "NOTE mark at 0:05: here")
        #expect(blocks[4] == "NOTE not understood at 0:02, 0:07" && blocks[5].hasSuffix("Bye."))
        #expect(blocks[6] == "NOTE not understood at 0:11, 1:01")
    }
}

extension Transcript {
    fileprivate static func of(_ segments: [TranscriptSegment]) -> Transcript {
        Transcript(
            item: AudioItem.ID(),
            created: Date(timeIntervalSince1970: 0),
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
    }
}
