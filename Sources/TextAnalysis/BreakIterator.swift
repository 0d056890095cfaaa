import CICU

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
