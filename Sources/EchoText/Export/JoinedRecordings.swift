/// Several recordings joined into one sound: the start of each, at a common sample rate.
package struct JoinedRecordings: Sendable {
    package struct Part: Sendable {
        package let item: AudioItem
        /// The recording's own sample rate, in hertz.
        let sampleRate: Int
        /// Its start in the whole, in samples of the whole.
        package let start: Int
    }

    package private(set) var parts: [Part] = []
    /// The highest of theirs, in hertz.
    package let sampleRate: Int
    /// Samples of the whole.
    package private(set) var count = 0

    /// Reads the properties of each recording's sound.
    ///
    /// - Parameters:
    ///   - items: At least one recording.
    ///   - library: The library with the recordings.
    ///   - needsSound: Whether each sound has to be readable; if false, the stored length is used for damaged,
    ///     missing or unreadable sound.
    /// - Throws: ``ExportError/nothingToExport`` without recordings; what reading throws.
    package init(_ items: [AudioItem], in library: any AudioLibrary, needsSound: Bool = true) async throws {
        var lengths: [(item: AudioItem, rate: Int, count: Int)] = []
        for item in items {
            do {
                let reader = try await RecordingReader(of: library.sound(of: item.id))
                lengths.append((item, reader.sampleRate, reader.count))
            } catch let error as VaultError {
                guard !needsSound, error.isOfOnePart else { throw error }
                let count = Int((item.duration * Double(item.sampleRate)).rounded())
                lengths.append((item, item.sampleRate, count))
            }
        }
        guard let highest = lengths.map(\.rate).max() else { throw ExportError.nothingToExport }
        sampleRate = highest
        for (item, rate, length) in lengths {
            parts.append(Part(item: item, sampleRate: rate, start: count))
            count += Self.scaled(length, from: rate, to: highest)
        }
    }

    /// Maps sample `sample` of a part to the whole.
    func place(of sample: Int, in part: Part) -> Int {
        part.start + Self.scaled(sample, from: part.sampleRate, to: sampleRate)
    }

    /// Maps the timings of a part to the whole.
    ///
    /// - Parameters:
    ///   - timings: Timings relative to the part's start.
    ///   - part: The part.
    ///   - offset: The start of the part's text in the whole text, in UTF-16 units.
    /// - Returns: The same number of timings.
    func placed(_ timings: [TimedSentence], of part: Part, textOffset offset: Int) -> [TimedSentence] {
        func samples(_ range: Range<Int>) -> Range<Int> {
            place(of: range.lowerBound, in: part)..<place(of: range.upperBound, in: part)
        }
        return timings.map { sentence in
            TimedSentence(
                source: sentence.source.moved(by: offset),
                text: sentence.text,
                samples: samples(sentence.samples),
                words: sentence.words.map {
                    TimedWord(
                        source: $0.source.moved(by: offset),
                        samples: samples($0.samples),
                        precision: $0.precision
                    )
                }
            )
        }
    }

    /// No recording has as many samples.
    private static let most = 1 << 48

    /// Rounds to the nearest sample, at most ``most``: the numbers of a damaged library may be anything.
    private static func scaled(_ samples: Int, from rate: Int, to wanted: Int) -> Int {
        guard rate != wanted else { return min(samples, most) }
        guard samples <= (Int.max - rate) / wanted else { return most }
        return min((samples * wanted + rate / 2) / rate, most)
    }
}

/// A part of an audiobook that a listener can jump to.
package struct Chapter: Sendable, Hashable {
    /// The most bytes of a title in UTF-8: the chapter table that most players read has one byte for the length.
    package static let longestTitle = 240

    package let title: String
    /// In samples from the audiobook's start.
    package let start: Int

    /// - Parameters:
    ///   - title: Truncated to ``longestTitle`` bytes.
    ///   - start: In samples.
    package init(title: String, start: Int) {
        var title = title
        if title.utf8.count > Self.longestTitle {
            while title.utf8.count > Self.longestTitle - "…".utf8.count { title.removeLast() }
            title += "…"
        }
        self.title = title
        self.start = start
    }

    /// Makes the chapters of one recording: one per heading, or a single one with the recording's name.
    ///
    /// - Parameters:
    ///   - name: The recording's name, for the text before the first heading.
    ///   - text: The spoken text.
    ///   - timings: The timings of the sentences.
    /// - Returns: At least one chapter; the first begins at 0.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func chapters(of name: String, text: String, timings: [TimedSentence]) async throws -> [Chapter] {
        var chapters: [Chapter] = []
        var rest = timings[...]
        for (title, unit) in try await headings(in: text) {
            rest = rest.drop { $0.source.upperBound <= unit }
            guard let sentence = rest.first else { break }
            let isFirst = sentence.source == timings.first?.source
            let start = isFirst ? 0 : sentence.samples.lowerBound
            guard start > chapters.last?.start ?? -1 else { continue }
            if chapters.isEmpty, !isFirst { chapters.append(Chapter(title: name, start: 0)) }
            chapters.append(Chapter(title: title, start: start))
        }
        return chapters.isEmpty ? [Chapter(title: name, start: 0)] : chapters
    }

    /// The headings of a text that have words.
    ///
    /// - Returns: In order, each with its position in the text, in UTF-16 units.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func headings(in text: String) async throws -> [(title: String, unit: Int)] {
        var headings: [(title: String, unit: Int)] = []
        var paragraphs = ParagraphReader(of: StringSource(text))
        while let paragraph = try await paragraphs.next() {
            guard paragraph.kind == .heading else { continue }
            let title = paragraph.text.drop { $0 == "#" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !title.isEmpty { headings.append((title, paragraph.start)) }
        }
        return headings
    }
}
