import EchoText
import Foundation

/// Decodes a text that is in memory.
enum TextDecoding {
    /// The text in UTF-8, with notices about its encoding.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    static func utf8(_ bytes: Data) throws -> ([UInt8], [DocumentNotice]) {
        var survey = EncodingSurvey()
        bytes.withUnsafeBytes { survey.take($0) }
        let (encoding, skip, isGuessed) = survey.finish()
        var converter = TextConverter(encoding)
        var text: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            try converter.convert(UnsafeRawBufferPointer(rebasing: bytes[skip...]), isLast: true) { piece in
                try Task.checkCancellation()
                text.append(contentsOf: piece)
            }
        }
        return (text, .ofDecoding(as: encoding, isGuessed: isGuessed, replaced: converter.replaced))
    }
}

extension [DocumentNotice] {
    /// Notices about how a text's bytes were decoded.
    static func ofDecoding(as encoding: TextEncoding, isGuessed: Bool, replaced: Int) -> [DocumentNotice] {
        var notices: [DocumentNotice] = []
        if isGuessed { notices.append(.guessedEncoding(encoding.name)) }
        if replaced > 0 { notices.append(.replacedCharacters(replaced)) }
        return notices
    }
}
