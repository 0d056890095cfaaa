import EchoText
import Foundation

/// What a recording can be downloaded as.
enum DownloadFormat: Sendable, Equatable {
    case sound(ExportFormat)
    case text
    case captions(TimingFormat)
    /// An EPUB 3 that is read along.
    case book
    /// A ZIP file with a sound file for each chapter.
    case chapters(ExportFormat)

    /// - Throws: ``WebError/badRequest(what:)`` for a name that is none.
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
            } else {
                fallthrough
            }
        case nil:
            let known = ExportFormat.allCases.map(\.rawValue) + TimingFormat.allCases.map(\.rawValue)
            let all = known + ["txt", "epub", "chapters"]
            throw WebError.badRequest(what: "“format” is one of \(all.joined(separator: ", "))")
        }
    }

    private static func chapterSound(_ name: String?) throws -> ExportFormat {
        guard let name else { return .mp3 }
        let known = ExportFormat.allCases.filter { $0 != .m4b }
        guard let format = known.first(where: { $0.rawValue == name }) else {
            throw WebError.badRequest(what: "“sound” is one of \(known.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }

    var fileExtension: String {
        switch self {
        case .sound(let format): format.fileExtension
        case .text: "txt"
        case .captions(let format): format.rawValue
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
        case .text: "text/plain; charset=utf-8"
        case .captions(.json): "application/json"
        case .captions(.srt): "application/x-subrip"
        case .captions(.vtt): "text/vtt; charset=utf-8"
        case .book: "application/epub+zip"
        case .chapters: "application/zip"
        }
    }
}

/// Makes one recording into the bytes of a download, in memory.
struct DownloadMaker: Sendable {
    let library: Library
    let files: any ExportFiles & ExportedBytes

    /// - Throws: ``VaultError``, ``AudioFileError``, ``ExportError``, `CancellationError`.
    func make(_ item: AudioItem, _ format: DownloadFormat) async throws -> any StoredSound {
        let path = "download.\(format.fileExtension)"
        let export = RecordingExport(of: library.audio, to: files)
        switch format {
        // What is kept is a WAV file already.
        case .sound(.wav): return try await library.audio.sound(of: item.id)
        case .sound(let format): try await export.sound(of: [item], try await wish(for: item, format), to: path)
        case .text: try await export.text(of: [item], to: path)
        case .captions(let format): try await export.captions(of: [item], format, to: path)
        case .book, .chapters: try await write(item, format, to: files, at: path)
        }
        return try await files.take(path)
    }

    /// Writes a recording with all its chapters; the file may be as long as the recording, so it need not be in memory.
    ///
    /// - Throws: As ``make(_:_:)`` does.
    func write(_ item: AudioItem, _ format: DownloadFormat, to target: any ExportFiles, at path: String) async throws {
        let book = try await RecordedBook(of: item, in: library)
        let export = BookExport(of: library, to: target, parts: files)
        if case .chapters(let sound) = format {
            try await export.chapters(of: book, as: sound, to: path, at: Date())
        } else {
            try await export.epub(of: book, to: path, at: Date())
        }
    }

    /// An audiobook has the chapters and the cover of the document it was made from.
    private func wish(for item: AudioItem, _ format: ExportFormat) async throws -> RecordingExport.Wish {
        var wish = RecordingExport.Wish(format: format)
        guard format.soundFormat == nil, item.document != nil else { return wish }
        let book = try await RecordedBook(of: item, in: library)
        (wish.chapters, wish.cover) = (book.marks, book.cover)
        return wish
    }
}

/// The field that makes a browser store an answer under a name.
enum Disposition {
    /// The field's value.
    ///
    /// - Parameter name: Any text; what a field cannot carry is encoded.
    /// - Returns: ASCII without controls.
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

/// What was asked for as one download and has not been fetched.
actor ExportOrders {
    /// The most that may wait.
    private static let limit = 100
    /// Ids and no names: they are remembered while the library is locked too.
    private var orders: [(id: String, ids: [AudioItem.ID], format: DownloadFormat)] = []

    func add(_ ids: [AudioItem.ID], _ format: DownloadFormat) -> String {
        let id = UUID().uuidString.lowercased()
        orders.append((id, ids, format))
        if orders.count > Self.limit { orders.removeFirst() }
        return id
    }

    func take(_ id: String) -> (ids: [AudioItem.ID], format: DownloadFormat)? {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { return nil }
        let order = orders.remove(at: index)
        return (order.ids, order.format)
    }
}
