package import EchoText
import Synchronization

/// Sentences and words by ICU, with corrections for abbreviations, which ICU's rules do not know.
///
/// ICU's iterators are costly to open and cannot be shared, so one is cached for each language and used by one caller
/// at a time.
package final class ICUSegmenter: TextSegmenter {
    private let sentenceIterators = Mutex<[String: IteratorBox]>([:])
    private let wordIterators = Mutex<[String: IteratorBox]>([:])

    package init() {}

    package func sentences(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        guard !units.isEmpty else { return [] }
        var ranges: [TextRange] = []
        sentenceIterators.withLock { iterators in
            let iterator = Self.iterator(for: language, in: &iterators) { .sentences(locale: $0) }
            iterator?.value.forEachRange(in: units) { range, _ in ranges.append(range) }
        }
        guard !ranges.isEmpty else { return [0..<units.count] }
        return SentenceJoining(language: language).joined(ranges, in: units)
    }

    package func words(in text: String, language: String) -> [TextRange] {
        let units = Array(text.utf16)
        guard !units.isEmpty else { return [] }
        var ranges: [TextRange] = []
        wordIterators.withLock { iterators in
            let iterator = Self.iterator(for: language, in: &iterators) { .words(locale: $0) }
            iterator?.value
                .forEachRange(in: units) { range, isWord in
                    if isWord { ranges.append(range) }
                }
        }
        return ranges
    }

    private static func iterator(
        for language: String,
        in iterators: inout [String: IteratorBox],
        open: (String) -> BreakIterator?
    ) -> IteratorBox? {
        if let known = iterators[language] { return known }
        guard let opened = open(language) else { return nil }
        let box = IteratorBox(opened)
        iterators[language] = box
        return box
    }
}

/// Stores an iterator in a dictionary, which requires copyable values.
private final class IteratorBox {
    let value: BreakIterator

    init(_ value: consuming BreakIterator) {
        self.value = value
    }
}
