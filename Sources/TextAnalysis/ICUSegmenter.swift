import CICU
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

/// Owns one of ICU's break iterators.
struct BreakIterator: ~Copyable {
    private let handle: OpaquePointer

    /// Sentences by a locale's rules; ICU uses its root rules for a locale without data.
    ///
    /// - Returns: `nil` when ICU's data cannot be loaded at all.
    static func sentences(locale: String) -> BreakIterator? { BreakIterator(cicu_open_sentences(locale)) }

    /// Words by a locale's rules, like ``sentences(locale:)``.
    static func words(locale: String) -> BreakIterator? { BreakIterator(cicu_open_words(locale)) }

    private init?(_ handle: OpaquePointer?) {
        guard let handle else { return nil }
        self.handle = handle
    }

    deinit { cicu_close(handle) }

    /// Calls `body` with each range between two boundaries, in order, and whether it is a word.
    func forEachRange(in units: [UInt16], _ body: (_ range: Range<Int>, _ isWord: Bool) -> Void) {
        units.withUnsafeBufferPointer { buffer in
            guard cicu_set_text(handle, buffer.baseAddress, Int32(buffer.count)) != 0 else { return }
            var start = cicu_first(handle)
            while case let end = cicu_next(handle), end >= 0 {
                body(Int(start)..<Int(end), cicu_is_word(handle) != 0)
                start = end
            }
            _ = cicu_set_text(handle, nil, 0)  // the buffer is valid only until here
        }
    }
}
