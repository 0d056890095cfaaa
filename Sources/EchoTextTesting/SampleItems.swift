package import EchoText
package import Foundation

/// A short document with everything known about it.
package struct SampleDocument: Sendable {
    package var name: ItemName
    package var content: DocumentText
    package var picture: Data?
    /// Days after the first.
    package var day = 0

    package init(name: ItemName, content: DocumentText) {
        self.name = name
        self.content = content
    }

    /// Makes a document of these pages, the first paragraph of each being a chapter's title.
    ///
    /// - Parameters:
    ///   - name: The document's name.
    ///   - pages: The pages' texts, in order.
    ///   - kind: The kind of document.
    ///   - language: The language in its metadata.
    package init(_ name: ItemName, pages: [String], kind: DocumentKind = .text, language: String? = nil) {
        var text = ""
        var ranges: [TextRange] = []
        for page in pages {
            let start = text.utf16.count
            text += page
            ranges.append(start..<text.utf16.count)
        }
        let titles = pages.map { String($0.prefix { $0 != "\n" }) }
        self.init(
            name: name,
            content: DocumentText(
                text: text,
                structure: DocumentStructure(
                    kind: kind,
                    language: language,
                    pages: ranges.enumerated().map { DocumentPage(number: $0 + 1, range: $1) },
                    chapters: zip(titles, ranges).map { DocumentChapter(title: $0, level: 1, range: $1) }
                )
            )
        )
    }

    /// Four that differ in everything that is sorted, filtered or searched by.
    package static let all: [SampleDocument] = {
        var all = [
            SampleDocument(
                "Harbour",
                pages: ["Lights\n\nThe lighthouse keeper sleeps.\n\n", "Waves\n\nThey come in. 𝄞"]
            ),
            SampleDocument("élan", pages: ["Naïve\n\nPeople hope."], kind: .pdf, language: "fr-CA"),
            SampleDocument("Zebra", pages: ["Stripes", " and", " stripes and keeper"], kind: .epub, language: "en"),
            SampleDocument("apple Pie", pages: ["Flour\0and butter."], kind: .markdown),
        ]
        for index in all.indices { all[index].day = index }
        all[1].content.structure.title = "L'élan vital"
        all[1].content.structure.author = "H. B."
        all[1].content.structure.notices = [.endsBefore(page: 2)]
        all[2].picture = Data([0x89, 0x50, 0x4E, 0x47])
        all[2].content.structure.marks = [TextMark(.footnote, range: 7..<11)]
        return all
    }()

    package var bytes: Data { Data("\(name.text)\n\(content.text)".utf8) }

    package var new: NewDocument {
        NewDocument(
            name: name,
            bytes: bytes,
            content: content,
            picture: picture,
            added: Date(timeIntervalSince1970: 1_790_000_000 + 86_400 * Double(day))
        )
    }
}

/// A short narration with everything known about it.
package struct SampleRecording: Sendable {
    package var name: ItemName
    package var text: String
    package var voice = Self.voice
    package var speed = 1.0
    package var pitch = 1.0
    package var document: DocumentLink?
    /// In seconds.
    package var length = 0.2

    package init(name: ItemName, text: String) {
        self.name = name
        self.text = text
    }

    package static let voice = Voice(
        id: Voice.ID(rawValue: "espeak/en-US"),
        name: "Anna",
        language: "en-US",
        engine: .espeakNG,
        sampleRate: 16_000
    )
    package static let other = Voice(
        id: Voice.ID(rawValue: "piper/bert"),
        name: "Bert",
        language: "de",
        engine: .piper,
        sampleRate: 16_000
    )

    /// Four that differ in everything that is sorted, filtered or searched by.
    package static let all: [SampleRecording] = {
        var all = [
            SampleRecording(name: "Harbour", text: "The lighthouse keeper sleeps. Waves\ncome in."),
            SampleRecording(name: "élan", text: "Naïve people hope."),
            SampleRecording(name: "Zebra", text: "Stripes, 𝄞 and stripes."),
            SampleRecording(name: "apple Pie", text: "Flour\0and butter."),
        ]
        all[1].speed = 1.2
        all[2].pitch = 0.75
        all[2].voice = other
        all[2].length = 0.4
        all[3].document = DocumentLink(id: "cook", part: "Chapter 3")
        all[3].length = 0.3
        return all
    }()

    package var order: NarrationOrder {
        NarrationOrder(name: name, voice: voice, speed: speed, pitch: pitch, document: document)
    }

    /// As many as ``length`` asks for, no two recordings' alike.
    package var samples: [Int16] {
        let seed = text.utf8.reduce(1) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return (0..<Int(length * 16_000)).map { Int16(truncatingIfNeeded: $0 &* seed) }
    }

    /// The text as one sentence, whose first two words take half of the sound and the others the other half.
    package var sentences: [TimedSentence] {
        let words = PlainSegmenter().words(in: text, language: "en")
        let share = samples.count / 4
        let timed = words.enumerated().map { index, word in
            let start = min(index * share / 2, samples.count - 1)
            return TimedWord(
                source: word,
                samples: start..<min(start + share / 2, samples.count),
                precision: index.isMultiple(of: 2) ? .exact : .estimated
            )
        }
        return [TimedSentence(source: 0..<text.utf16.count, text: text, samples: 0..<samples.count, words: timed)]
    }

    /// The whole text as one segment.
    package var segment: NarrationSegment {
        NarrationSegment(sound: .init(samples), sentences: sentences, position: text.utf16.count, nextSentence: 1)
    }

    /// - Parameters:
    ///   - jobs: The store of narrations.
    ///   - seconds: The listening position meanwhile.
    /// - Returns: The recording.
    /// - Throws: What `jobs` throw.
    package func make(in jobs: some NarrationJobs, played seconds: Double = 0) async throws -> AudioItem {
        let job = try await jobs.begin(order, text: text)
        try await jobs.keep(segment, for: job.id)
        if seconds > 0 { try await jobs.save(played: seconds, ofJob: job.id) }
        return try await jobs.finish(job.id)
    }
}

/// Chunks of a recording that tests know by their numbers, no two alike.
package enum SampleChunk {
    /// In hertz.
    package static let sampleRate = 8_000
    /// Two seconds.
    package static let length = 16_000

    package static func samples(_ number: Int) -> [Int16] {
        (0..<length).map { Int16(truncatingIfNeeded: ($0 &+ 1) &* (number &* 31 &+ 7)) }
    }

    /// A file that they could have come from, of several sealed chunks.
    package static let file = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 + $0 / 251) })
}

/// A narration of three sentences with pauses between them.
package struct SampleSentences: Sendable {
    package let text = "The keeper sleeps. Waves come in. It is night."

    package init() {}

    /// 300 samples each, and 100 of silence after each.
    package var sentences: [TimedSentence] {
        let segmenter = PlainSegmenter()
        let units = Array(text.utf16)
        return [0..<18, 19..<33, 34..<46].enumerated().map { index, source in
            let written = String(decoding: units[source], as: UTF16.self)
            let start = 400 * index
            let words = segmenter.words(in: written, language: "en").enumerated().map { number, word in
                TimedWord(
                    source: source.lowerBound + word.lowerBound..<source.lowerBound + word.upperBound,
                    samples: start + 50 * number..<start + 50 * number + 50,
                    precision: .exact
                )
            }
            return TimedSentence(source: source, text: written, samples: start..<start + 300, words: words)
        }
    }

    package var samples: [Int16] {
        (0..<1_200).map { $0 % 400 < 300 ? Int16($0 % 997 + 1) : 0 }
    }

    /// Another reading of `sentence`, of `count` samples.
    package func spoken(_ sentence: TimedSentence, count: Int) -> SpokenSentence {
        let share = count / max(1, sentence.words.count)
        return SpokenSentence(
            sound: (0..<count).map { Int16(-1 - $0 % 991) },
            words: sentence.words.enumerated().map { index, word in
                TimedWord(source: word.source, samples: share * index..<share * (index + 1), precision: .exact)
            }
        )
    }

    /// Makes the recording; `cues` are its captions if their times are kept.
    package func make(in jobs: some NarrationJobs, cues: [SubtitleCue]? = nil) async throws -> AudioItem {
        var order = NarrationOrder(name: "Night", voice: SampleRecording.voice)
        order.cues = cues
        let job = try await jobs.begin(order, text: text)
        let segment = NarrationSegment(
            sound: .init(samples),
            sentences: sentences,
            position: text.utf16.count,
            nextSentence: sentences.count
        )
        try await jobs.keep(segment, for: job.id)
        return try await jobs.finish(job.id)
    }

    /// The sound of a recording.
    package static func samples(of id: AudioItem.ID, in library: some AudioLibrary) async throws -> [Int16] {
        let reader = try await RecordingReader(of: library.sound(of: id))
        var samples: [Int16] = []
        while samples.count < reader.count { samples += try await reader.samples(from: samples.count) }
        return samples
    }
}

/// The text of captions, one after another, and their times.
package struct SampleCaptions: Sendable {
    package private(set) var text = ""
    package private(set) var cues: [SubtitleCue] = []

    /// - Parameter captions: When each is to begin, in seconds, and its words.
    package init(_ captions: [(Double, String)]) {
        for (time, words) in captions {
            if !text.isEmpty { text += " " }
            let start = text.utf16.count
            text += words
            cues.append(SubtitleCue(range: start..<text.utf16.count, start: time))
        }
    }
}
