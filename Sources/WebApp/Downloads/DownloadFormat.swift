import EchoText
import Foundation

/// A format in which a recording can be downloaded.
enum DownloadFormat: Sendable, Equatable {
    case sound(ExportFormat)
    case text
    case captions(TimingFormat)
    /// A transcript in a format that only transcripts have.
    case transcript(TranscriptFormat)
    /// An EPUB 3 that is read along.
    case book
    /// A ZIP file with a sound file for each chapter.
    case chapters(ExportFormat)

    /// - Throws: ``WebError/badRequest(what:)`` for an unknown format.
    init(_ name: String?, sound: String? = nil) throws {
        switch name {
        case "txt": self = .text
        case "epub": self = .book
        case "chapters": self = .chapters(try Self.chapterSound(sound))
        case let name?:
            if let format = ExportFormat(rawValue: name) {
                self = .sound(format)
            } else if let format = TimingFormat(rawValue: name) {
                self = .captions(format)
            } else if let format = TranscriptFormat(rawValue: name) {
                self = .transcript(format)
            } else {
                fallthrough
            }
        case nil:
            let known = ExportFormat.allCases.map(\.rawValue) + TranscriptFormat.allCases.map(\.rawValue)
            let all = known + ["epub", "chapters"]
            throw WebError.badRequest(what: "“format” is one of \(all.joined(separator: ", "))")
        }
    }

    /// Makes a format that accompanies sound: text, captions or a transcript.
    ///
    /// - Throws: ``WebError/badRequest(what:)`` for an unknown format.
    init(beside name: String) throws {
        guard TranscriptFormat(rawValue: name) != nil else {
            let all = TranscriptFormat.allCases.map(\.rawValue)
            throw WebError.badRequest(what: "“beside” is a list of \(all.joined(separator: ", "))")
        }
        try self.init(name)
    }

    private static func chapterSound(_ name: String?) throws -> ExportFormat {
        guard let name else { return .mp3 }
        let known = ExportFormat.allCases.filter { $0 != .m4b }
        guard let format = known.first(where: { $0.rawValue == name }) else {
            throw WebError.badRequest(what: "“sound” is one of \(known.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }

    /// Whether it has all chapters of one recording.
    var isBook: Bool {
        switch self {
        case .book, .chapters: true
        case .sound, .text, .captions, .transcript: false
        }
    }

    /// Whether it has what is said, and no sound.
    var isOfWords: Bool {
        switch self {
        case .text, .captions, .transcript: true
        case .sound, .book, .chapters: false
        }
    }

    /// Whether it is of one recording, so that several are not joined in it.
    var isTranscript: Bool { if case .transcript = self { true } else { false } }

    var fileExtension: String {
        switch self {
        case .sound(let format): format.fileExtension
        case .text: "txt"
        case .captions(let format): format.rawValue
        case .transcript(let format): format.rawValue
        case .book: "epub"
        case .chapters: "zip"
        }
    }

    /// The media type.
    var type: String {
        switch self {
        case .sound(.wav): "audio/wav"
        case .sound(.flac): "audio/flac"
        case .sound(.mp3): "audio/mpeg"
        case .sound(.opus), .sound(.ogg): "audio/ogg"
        case .sound(.m4a), .sound(.m4b): "audio/mp4"
        case .text: TranscriptFormat.txt.type
        case .captions(.json): TranscriptFormat.json.type
        case .captions(.srt): TranscriptFormat.srt.type
        case .captions(.vtt): TranscriptFormat.vtt.type
        case .transcript(let format): format.type
        case .book: "application/epub+zip"
        case .chapters: "application/zip"
        }
    }
}

/// The field that makes a browser store an answer under a name.
enum Disposition {
    /// Makes the value of a `Content-Disposition` field.
    ///
    /// - Parameter name: Any text; other characters than a field allows are encoded.
    /// - Returns: ASCII without control characters.
    /// - SeeAlso: RFC 6266; RFC 8187 for the encoding.
    static func attachment(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isSafe =
                    scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7f
                    && !"\"\\%".contains(Character(scalar))
                return isSafe ? Character(scalar) : "_"
            }
        )
        let letters = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let encoded = name.addingPercentEncoding(withAllowedCharacters: letters) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
