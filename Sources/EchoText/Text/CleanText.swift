import Foundation

/// A text in plain Unicode, each of whose units knows which units of the original it stands for.
struct CleanText {
    /// The text to read.
    ///
    /// No-break and thin spaces are U+00A0 and line ends stay what they are, because rules ask for
    /// them; both are spaces in what is spoken.
    private(set) var units: [UInt16] = []

    /// Where in the original each unit's source begins and ends; both empty when the units stand one for one.
    private(set) var starts: [Int32] = []
    private(set) var ends: [Int32] = []

    private let replacesSpaces: Bool

    /// The text untouched.
    init(as original: [UInt16]) {
        units = original
        replacesSpaces = false
    }

    /// The text with compatibility characters in their plain form and without what cannot be heard.
    ///
    /// Normalisation is NFC, and NFKC for ligatures, full-width and half-width forms, mathematical letters, squared and
    /// circled ones; superscripts and fractions stay, because they are read by rules. Of a heap of combining marks on one
    /// letter only the first sixteen are kept.
    init(cleaning original: [UInt16]) {
        replacesSpaces = true
        if original.allSatisfy(Self.isPlain) {
            units = original
            return
        }
        var cleaner = TextCleaner(original)
        cleaner.run()
        units = cleaner.units
        starts = cleaner.starts
        ends = cleaner.ends
    }

    @inline(__always)
    private static func isPlain(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x20...0x7E, 0x0A, 0x09, 0x0D, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x10FF, 0x2013...0x2018, 0x201A...0x2027:
            true
        case 0x3001...0x3098, 0x309B...0xABFF: true
        case 0xAC00...0xD7A3: true
        default: false
        }
    }

    var isIdentity: Bool { starts.isEmpty }

    /// The original units that `range` of the clean text stands for.
    func source(of range: Range<Int>) -> Range<Int> {
        guard !isIdentity, let first = range.first, let last = range.last else { return range }
        return Int(starts[first])..<Int(ends[last])
    }

    /// Whether the unit stands for exactly one unit of the original.
    func isOneToOne(_ index: Int) -> Bool {
        isIdentity || ends[index] - starts[index] == 1 && (index == 0 || starts[index] != starts[index - 1])
    }

    /// The units as text to be spoken.
    func spoken(_ range: Range<Int>) -> String {
        guard replacesSpaces, units[range].contains(where: { $0 < 0x20 || $0 == 0xA0 }) else {
            return String(decoding: units[range], as: UTF16.self)
        }
        return String(decoding: units[range].map { $0 < 0x20 || $0 == 0xA0 ? 0x20 : $0 }, as: UTF16.self)
    }
}
