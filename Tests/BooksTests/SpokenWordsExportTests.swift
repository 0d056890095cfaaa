import AudioFiles
import Books
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("What is said in a recording, as a file", .endsInTime)
struct SpokenWordsExportTests {
    private static let time = Date(timeIntervalSince1970: 1_790_000_000)

    private func written(_ item: AudioItem, of library: Library, as format: TranscriptFormat) async throws -> String {
        let export = SpokenWordsExport(of: library, by: LocalSoundFiles(searchPath: "/usr/bin"))
        let file = MemoryBytes()
        switch format {
        case .txt: try await export.text(of: [item], to: file)
        case .srt: try await export.captions(of: [item], .srt, to: file)
        case .vtt: try await export.captions(of: [item], .vtt, to: file)
        case .md, .json, .csv, .docx: try await export.transcript(of: item, as: format, to: file, at: Self.time)
        }
        return String(decoding: try await file.read(0..<file.length), as: UTF8.self)
    }

    /// A narration of a text whose sentences follow each other without a pause.
    private func narration(
        _ sentences: [String],
        _ separators: [String],
        in jobs: some NarrationJobs
    ) async throws -> AudioItem {
        var (text, timed) = ("", [TimedSentence]())
        for (index, sentence) in sentences.enumerated() {
            let source = text.utf16.count..<text.utf16.count + sentence.utf16.count
            let samples = index * 800..<(index + 1) * 800
            let word = TimedWord(source: source, samples: samples, precision: .exact)
            timed.append(TimedSentence(source: source, text: sentence, samples: samples, words: [word]))
            text += sentence + (index < separators.count ? separators[index] : "")
        }
        let sample = SampleRecording(name: "Tale", text: text)
        let job = try await jobs.begin(sample.order, text: text)
        let segment = NarrationSegment(
            sound: .init(Array(repeating: 1, count: sentences.count * 800)),
            sentences: timed,
            position: text.utf16.count,
            nextSentence: sentences.count
        )
        try await jobs.keep(segment, for: job.id)
        return try await jobs.finish(job.id)
    }

    @Test("keeps the paragraphs of what was read aloud")
    func paragraphs() async throws {
        let library = MemoryVault().library
        let sentences = ["Chapter 1", "It was\nnight.", "He slept.", "She did not.", "- One.", "- Two.", "The end."]
        let separators = ["\n\n", " ", "\r\n\r\n", "\n\n\n", "\n", "\n\n"]
        let item = try await narration(sentences, separators, in: library.jobs)
        let text = try await written(item, of: library, as: .md)
        let paragraphs = [
            "# Tale", "Chapter 1", "It was night. He slept.", "She did not.", "\\- One.", "\\- Two.", "The end.\n",
        ]
        #expect(text == paragraphs.joined(separator: "\n\n"))
    }

    @Test("has the speakers and marks of several recordings on the clock of their joined sound")
    func joined() async throws {
        let library = MemoryVault().library
        var items: [AudioItem] = []
        for (name, speaker, text) in [("First", "Anna", "Good evening."), ("Second", "Ben", "Thank you.")] {
            let order = try RecordingOrder(name: ItemName(name), sampleRate: 8_000, source: .microphone)
            let id = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: Array(repeating: 1, count: 80_000))
            try await library.recordings.append(chunk, to: id)
            let item = try await library.recordings.finish(id)
            let edit = try TranscriptEdit([TranscriptEdit.Segment(time: 1..<3, text: text, speaker: speaker)])
            try await library.transcripts.add(Transcript(edit, of: item, at: Self.time))
            try await library.audio.setMarks([RecordingMark(sample: 12_000, label: name)], of: item.id)
            items.append(item)
        }
        items.append(try await narration(["The end."], [], in: library.jobs))
        let export = SpokenWordsExport(of: library, by: LocalSoundFiles(searchPath: "/usr/bin"))
        let (web, plain) = (MemoryBytes(), MemoryBytes())
        try await export.captions(of: items, .vtt, to: web)
        try await export.captions(of: items, .srt, to: plain)
        let vtt = String(decoding: try await web.read(0..<web.length), as: UTF8.self)
        #expect(vtt.contains("00:00:01.000 --> ") && vtt.contains("\n<v Anna>Good evening.\n"), "\(vtt)")
        #expect(vtt.contains("00:00:11.000 --> ") && vtt.contains("\n<v Ben>Thank you.\n"), "\(vtt)")
        #expect(vtt.contains("NOTE mark at 0:01: First\n") && vtt.contains("NOTE mark at 0:11: Second\n"), "\(vtt)")
        #expect(vtt.contains("00:00:20.000 --> ") && vtt.hasSuffix("\nThe end.\n\n"), "\(vtt)")
        let srt = String(decoding: try await plain.read(0..<plain.length), as: UTF8.self)
        #expect(srt.contains("\nAnna: Good evening.\n") && srt.contains("00:00:11,000 --> "), "\(srt)")
        #expect(srt.contains("\nBen: Thank you.\n") && srt.hasSuffix("\nThe end.\n\n"), "\(srt)")
    }

    @Test("has the marks of what was read aloud, and of what nobody has transcribed", arguments: [true, false])
    func marks(isNarrated: Bool) async throws {
        let library = MemoryVault().library
        let item: AudioItem
        if isNarrated {
            item = try await narration(["One.", "Two."], [" "], in: library.jobs)
        } else {
            let order = try RecordingOrder(name: "Tale", sampleRate: 8_000, source: .microphone)
            let id = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: Array(repeating: 1, count: 80_000))
            try await library.recordings.append(chunk, to: id)
            item = try await library.recordings.finish(id)
        }
        try await library.audio.setMarks([RecordingMark(sample: 900, label: "Here")], of: item.id)
        #expect(try await written(item, of: library, as: .md).contains("\\[mark at 0:00: Here\\]\n"))
        #expect(try await written(item, of: library, as: .csv).contains("[mark at 0:00: Here]\r\n"))
        let captions = try await written(item, of: library, as: .vtt)
        #expect(captions.contains("NOTE mark at 0:00: Here\n\n"))
        #expect(try await written(item, of: library, as: .txt) == (isNarrated ? "One. Two." : "[mark at 0:00: Here]\n"))
    }
}
