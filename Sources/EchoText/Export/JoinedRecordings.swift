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
    ///   - needsSound: Whether each sound has to be readable; if false, the stored length is used for damaged or
    ///     missing sound.
    /// - Throws: ``ExportError/nothingToExport`` without recordings; what reading throws.
    package init(_ items: [AudioItem], in library: any AudioLibrary, needsSound: Bool = true) async throws {
        var lengths: [(item: AudioItem, rate: Int, count: Int)] = []
        for item in items {
            do {
                let reader = try await RecordingReader(of: library.sound(of: item.id))
                lengths.append((item, reader.sampleRate, reader.count))
            } catch let error as VaultError {
                guard !needsSound, error == .contentDamaged || error == .contentMissing else { throw error }
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
        func source(_ range: TextRange) -> TextRange { range.lowerBound + offset..<range.upperBound + offset }
        return timings.map { sentence in
            TimedSentence(
                source: source(sentence.source),
                text: sentence.text,
                samples: samples(sentence.samples),
                words: sentence.words.map {
                    TimedWord(source: source($0.source), samples: samples($0.samples), precision: $0.precision)
                }
            )
        }
    }

    /// Rounds to the nearest sample.
    private static func scaled(_ samples: Int, from rate: Int, to wanted: Int) -> Int {
        rate == wanted ? samples : (samples * wanted + rate / 2) / rate
    }
}
