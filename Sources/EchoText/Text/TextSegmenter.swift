/// Finds sentences and words in a language's own way.
///
/// - SeeAlso: Unicode Standard Annex 29, Text Segmentation.
package protocol TextSegmenter: Sendable {
    /// Cuts `text` into sentences.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - language: A BCP 47 tag; an unknown one is cut by rules that hold for most.
    /// - Returns: In order, together covering every unit of the text; a sentence keeps the white space after it.
    func sentences(in text: String, language: String) -> [TextRange]

    /// The words of `text`, in order: runs with a letter, a digit or an ideograph in them. Marks and spaces are left out.
    func words(in text: String, language: String) -> [TextRange]
}
