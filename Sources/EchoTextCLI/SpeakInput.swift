import EchoText
import FileSystem
import Foundation

/// The text that `echotext speak` is given.
struct SpeakInput: Sendable {
    let source: any TextSource
    /// The source, when it is a file or a pipe.
    let file: FileTextSource?
    /// The document in the library that it comes from, if any.
    var document: DocumentLink?
    /// The document's name.
    var name: ItemName?
    /// The languages that the document is in, as far as they are known.
    var languages: TextLanguages?
    /// The captions of the text, if each of them is to begin at its own time.
    var cues: [SubtitleCue]?
    /// Notices about how the document was read.
    private var documentNotices: [DocumentNotice] = []

    /// Notices about how the text has been read so far.
    var notices: [DocumentNotice] {
        get async { documentNotices + (await file?.notices ?? []) }
    }

    /// Prints the notices on standard error.
    func reportNotices() async {
        for notice in await notices { EchoTextCommand.say("note: \(notice.message)") }
    }

    /// Takes the selected parts of a document.
    ///
    /// - Throws: ``PageRangesError``, ``LibraryError``, ``VaultError``, or ``SynthesisError/nothingToSay``;
    ///   ``DocumentError/noTimes`` when times are to be kept that the document does not have.
    init(_ reference: String, _ choice: SelectionOptions, keepsTimes: Bool, in library: Library) async throws {
        let document = try await library.documents.document(called: reference)
        let remembered = try await library.documents.selection(of: document.id)
        let selection = choice.isGiven ? try choice.selection() : remembered ?? DocumentSelection()
        let structure = try await library.documents.structure(of: document.id)
        let part = try selection.part(of: structure)
        let spoken = try await library.documents.spoken(selection, of: document.id)
        guard spoken.text.contains(where: { !$0.isWhitespace }) else { throw SynthesisError.nothingToSay }
        if keepsTimes { cues = try spoken.cues(of: structure) }
        source = StringSource(spoken.text)
        file = nil
        self.document = DocumentLink(id: document.id.rawValue, part: part, selection: selection)
        name = document.name.with(part: part)
        languages = spoken.languages(of: structure)
        documentNotices = structure.notices
    }

    /// - Throws: ``TextSourceError``, or ``SynthesisError/nothingToSay`` when there is no text and no input to wait for.
    init(text: String?, file path: String?) throws {
        if let text {
            source = StringSource(text)
            file = nil
            return
        }
        let opened = try Self.open(path)
        source = CaptionTextSource(of: opened)
        file = opened
    }

    /// Reads subtitles whole, with the times of their captions.
    ///
    /// - Parameter path: The file; standard input when absent, and for `-`.
    /// - Throws: ``TextSourceError``, ``SynthesisError/nothingToSay``, ``DocumentError/tooLarge(limit:)``, or
    ///   ``DocumentError/noTimes`` for any other text.
    init(subtitles path: String?) async throws {
        let opened = try Self.open(path)
        let limit = DocumentKind.srt.largestFile
        var written = ""
        while let piece = try await opened.next() {
            written += piece
            guard written.utf8.count <= limit else { throw DocumentError.tooLarge(limit: limit) }
        }
        guard let format = CaptionWriter.Format(ofTextBeginning: written) else { throw DocumentError.noTimes }
        var reader = CaptionReader(format, keepsTimes: true)
        let begun = reader.read(written)
        let text = begun + reader.finish()
        source = StringSource(text)
        languages = LanguageGuess.language(of: text).map { TextLanguages(main: $0) }
        cues = reader.cues
        file = opened
    }

    private static func open(_ path: String?) throws -> FileTextSource {
        if let path, path != "-" { return try FileTextSource(path: path, decoding: Studio.textDecoding) }
        guard path == "-" || isatty(STDIN_FILENO) == 0 else { throw SynthesisError.nothingToSay }
        return try FileTextSource(decoding: Studio.textDecoding)
    }
}
