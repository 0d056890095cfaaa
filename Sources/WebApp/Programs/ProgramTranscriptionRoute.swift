import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `POST /v1/audio/transcriptions`: what is said in a sound file, by a recognizer of this machine; neither is stored.
struct ProgramTranscriptionRoute: Sendable {
    let studio: WebStudio
    /// Recognizers take much memory; further requests wait when their sound has come.
    private let turns = ImportGate()

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.only(.post, "audio/transcriptions", use: transcribe)
    }

    /// Transcribes for as long as the program waits.
    func transcribe(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let reader = try MultipartReader(request.headers[.contentType])
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > SoundImport.largestFile {
            throw SoundImportError.tooLarge(limit: SoundImport.largestFile)
        }
        let answer: TranscriptionOptions.Answer = try await context.whileWaitedFor(on: studio.connections) {
            try await studio.keepingOpen { open in
                try await turns.pass {
                    try await TranscriptionForm(of: request.body, by: reader, into: studio.soundImports)
                } then: { form in
                    try await transcript(of: form, in: open)
                }
            }
        }
        var headers: HTTPFields = [.contentType: answer.type]
        if !answer.notices.isEmpty { headers[.notices] = answer.notices.joined(separator: ", ") }
        return Response(
            status: .ok,
            headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: answer.text))
        )
    }

    private func transcript(
        of form: TranscriptionForm,
        in open: OpenLibrary
    ) async throws -> TranscriptionOptions.Answer {
        let options = try form.options()
        guard let file = form.file else { throw ProgramError.badField("file", what: "is missing") }
        // Sound leaves the machine only after a person was asked, so no service elsewhere hears it.
        let local = try await open.transcriptions.recognizers().filter { $0.engine != .remote }
        let order = try await open.library.settings.recognizerOrder()
        let recognizer = try options.recognizer(among: order.sorted(local, for: options.settings.language))
        let tools = open.transcriptions.tools
        let settings = try await open.library.settings.lanes()
        let transcription = FileTranscription(
            with: tools,
            decoder: studio.soundImports.decoder,
            lanes: settings ?? ProcessInfo.processInfo.activeProcessorCount
        )
        let session = try await tools.recognizer.open(recognizer.id, options.settings)
        let result: FileTranscription.Result
        do {
            result = try await session.closing { try await transcription.recognize(file, by: session) }
        } catch let error as SoundImportError {
            throw ProgramFieldFailure(field: "file", failure: error.failure)
        }
        return try options.answer(result, by: recognizer)
    }
}

/// The form of `POST /v1/audio/transcriptions`.
struct TranscriptionForm: Sendable {
    /// The most bytes of a field that is no file.
    private static let longestField = 65_536

    /// The sound, encrypted on disk; `nil` where the form has none.
    private(set) var file: SealedUpload?
    private var fields: [String: [String]] = [:]

    /// Reads the body of a request.
    ///
    /// - Throws: ``ProgramError``, ``SoundImportError``, ``VaultError``, and what reading throws.
    init(of body: RequestBody, by reader: MultipartReader, into imports: SoundImports) async throws {
        var reader = reader
        var name = ""
        var value = Data()
        var count = 0
        for try await buffer in body {
            count += buffer.readableBytes
            try imports.checkRoom(for: count)
            for event in try reader.take(Data(buffer.readableBytesView)) {
                switch event {
                case .field(let found):
                    (name, value) = (found, Data())
                    guard name == "file" else { continue }
                    guard file == nil else { throw ProgramError.badField(name, what: "is there twice") }
                    file = try SealedUpload(in: imports.folder)
                case .bytes(let bytes):
                    if name == "file" {
                        try await file?.append(bytes)
                    } else {
                        value += bytes
                        guard value.count <= Self.longestField else {
                            throw ProgramError.badField(name, what: "is longer than \(Self.longestField.grouped) bytes")
                        }
                    }
                case .end:
                    if name == "file" {
                        try await file?.finish()
                    } else {
                        fields[name, default: []].append(String(decoding: value, as: UTF8.self))
                    }
                }
            }
        }
        guard reader.isOver else { throw ProgramError.notForm }
    }

    /// - Throws: ``ProgramError``, ``ProgramFieldFailure``.
    func options() throws -> TranscriptionOptions { try TranscriptionOptions(fields) }
}

/// The options that a program gives for a transcription.
struct TranscriptionOptions: Sendable {
    enum Format: String, CaseIterable {
        case json
        case text
        case srt
        case vtt
        case verbose = "verbose_json"
    }

    private let model: String
    let settings: RecognitionSettings
    private let format: Format
    /// The parts of which ``Format/verbose`` has the times.
    private let times: Set<Granularity>

    private enum Granularity: String {
        case word
        case segment
    }

    /// - Parameter fields: The values of the form's fields; those that change nothing here, such as `temperature`, are ignored.
    /// - Throws: ``ProgramError/badField(_:what:)``.
    init(_ fields: [String: [String]]) throws {
        func value(_ name: String) -> String? {
            let text = fields[name]?.first?.trimmingCharacters(in: .whitespacesAndNewlines)
            return text?.isEmpty == false ? text : nil
        }
        model = value("model") ?? Self.usualModel
        let name = value("response_format") ?? Format.json.rawValue
        guard let format = Format(rawValue: name) else {
            let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProgramError.badField("response_format", what: "is one of \(names)")
        }
        self.format = format
        let key = "timestamp_granularities"
        let wanted = (fields["\(key)[]"] ?? []) + (fields[key] ?? [])
        let known = wanted.compactMap { Granularity(rawValue: $0) }
        guard known.count == wanted.count else {
            throw ProgramError.badField("\(key)[]", what: "has “word”, “segment” or both")
        }
        times = known.isEmpty ? [.segment] : Set(known)
        // OpenAI's own first model ignores it too.
        guard value("stream") != "true" || model == Self.usualModel else {
            throw ProgramError.badField("stream", what: "is “false”: a transcript is sent when it is whole")
        }
        settings = RecognitionSettings(
            language: try value("language").map(Self.language),
            // Only the end of a longer text counts with OpenAI's models as well.
            prompt: value("prompt").map { String($0.suffix(TranscriptionService.longestPrompt)) }
        )
    }

    private static let usualModel = "whisper-1"

    private static func language(_ tag: String) throws -> String {
        let canonical = LanguageTag.canonical(tag)
        guard tag.utf8.count <= 35, LanguageTag.isWellFormed(canonical) else {
            throw ProgramError.badField("language", what: "is a code such as “en” or “et”")
        }
        return canonical
    }

    /// Finds the recognizer that is wanted.
    ///
    /// - Parameter recognizers: Those of this machine, the preferred one first.
    /// - Returns: The one that the model names, or the first.
    /// - Throws: ``ProgramError/noSuchModel(_:)``, ``RecognitionError/noRecognizer``, ``ProgramFieldFailure`` for a
    ///   language that the recognizer does not know.
    func recognizer(among recognizers: [Recognizer]) throws -> Recognizer {
        // “gpt-4o-transcribe” and dated ones are no more here than “whisper-1”.
        let isUsual = model == Self.usualModel || model.split(separator: "-").contains("transcribe")
        let named = recognizers.first { $0.id.rawValue == model || $0.id.rawValue.hasSuffix("/\(model)") }
        guard let found = named ?? (isUsual ? recognizers.first : nil) else {
            throw isUsual ? RecognitionError.noRecognizer : ProgramError.noSuchModel(model)
        }
        do {
            try found.check(settings)
        } catch {
            throw ProgramFieldFailure(field: "language", failure: error.failure)
        }
        return found
    }

    // MARK: - The answer

    private struct Usage: Encodable {
        let type = "duration"
        let seconds: Int
    }

    /// An answer for a program.
    struct Answer: Sendable {
        let text: String
        /// The media type.
        let type: String
        /// The codes of the notices, which no library asks for, and which JSON has in words.
        let notices: [String]
    }

    private struct Plain: Encodable {
        let text: String
        let usage: Usage
        let notices: [SoundImportResponse.Notice]?
    }

    private struct Verbose: Encodable {
        struct Word: Encodable {
            let word: String
            let start: Double
            let end: Double
        }

        /// The numbers behind `tokens` are those of OpenAI's model, which nothing here measures; libraries expect them.
        struct Segment: Encodable {
            let id: Int
            let seek = 0
            let start: Double
            let end: Double
            let text: String
            let tokens: [Int] = []
            let temperature = 0.0
            let averageLogProbability = 0.0
            let compressionRatio = 1.0
            let noSpeechProbability = 0.0

            private enum CodingKeys: String, CodingKey {
                case id, seek, start, end, text, tokens, temperature
                case averageLogProbability = "avg_logprob"
                case compressionRatio = "compression_ratio"
                case noSpeechProbability = "no_speech_prob"
            }
        }

        let task = "transcribe"
        let language: String
        let duration: Double
        let text: String
        let words: [Word]?
        let segments: [Segment]?
        let usage: Usage
        let notices: [SoundImportResponse.Notice]?
    }

    /// Writes a transcript as the program wants it.
    ///
    /// - Returns: The answer, with notices about the sound and about words that are missing.
    func answer(_ result: FileTranscription.Result, by recognizer: Recognizer) throws -> Answer {
        let transcript = Transcript(
            item: AudioItem.ID(),
            created: Date(),
            source: TranscriptSource(recognizer: recognizer.id, settings: settings),
            language: settings.language ?? "und",
            segments: result.segments
        )
        let notices =
            result.notices.map { SoundImportResponse.Notice($0) }
            + SoundImportResponse.Notice.notices(about: transcript)
        let (text, type) = try content(of: result, transcript, by: recognizer, notices.isEmpty ? nil : notices)
        return Answer(text: text, type: type, notices: notices.map(\.code))
    }

    private func content(
        of result: FileTranscription.Result,
        _ transcript: Transcript,
        by recognizer: Recognizer,
        _ notices: [SoundImportResponse.Notice]?
    ) throws -> (text: String, type: String) {
        let usage = Usage(seconds: Int(result.duration.rounded(.up)))
        switch format {
        case .text: return (transcript.line + "\n", Self.plainType)
        case .srt: return (WrittenTranscript(transcript, title: "").captions(.subRip), Self.plainType)
        case .vtt: return (WrittenTranscript(transcript, title: "").captions(.webVTT), Self.plainType)
        case .json:
            return (try Self.json(Plain(text: transcript.line, usage: usage, notices: notices)), Self.jsonType)
        case .verbose:
            // Speech that was not understood is a segment without text.
            let said = transcript.segments.filter { $0.kind == .notUnderstood || !$0.text.isEmpty }
            let verbose = Verbose(
                language: Self.name(ofLanguage: language(of: transcript, by: recognizer)),
                duration: result.duration,
                text: transcript.line,
                words: times.contains(.word) ? said.flatMap { Self.words(of: $0) } : nil,
                segments: times.contains(.segment)
                    ? said.enumerated().map { Self.segment($0.offset, $0.element) } : nil,
                usage: usage,
                notices: notices
            )
            return (try Self.json(verbose), Self.jsonType)
        }
    }

    private static let plainType = "text/plain; charset=utf-8"
    private static let jsonType = "application/json; charset=utf-8"

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder.page.encode(value), as: UTF8.self)
    }

    private static func segment(_ number: Int, _ segment: TranscriptSegment) -> Verbose.Segment {
        Verbose.Segment(
            id: number,
            start: segment.words.first?.start ?? segment.time.lowerBound,
            end: segment.words.last?.end ?? segment.time.upperBound,
            text: segment.text
        )
    }

    private static func words(of segment: TranscriptSegment) -> [Verbose.Word] {
        let units = Array(segment.text.utf16)
        return segment.words.map { word in
            let range = word.source.clamped(to: 0..<units.count)
            return Verbose.Word(
                word: String(decoding: units[range], as: UTF16.self),
                start: word.start,
                end: word.end
            )
        }
    }

    /// The language that was asked for, or the only one that the recognizer knows, or the one in which the text seems to be.
    private func language(of transcript: Transcript, by recognizer: Recognizer) -> String {
        settings.language ?? recognizer.language(of: transcript.segments) ?? "und"
    }

    /// The English name, as OpenAI writes it: “english”.
    private static func name(ofLanguage tag: String) -> String {
        let code = LanguageTag.language(of: tag)
        return Locale(identifier: "en").localizedString(forLanguageCode: code)?.lowercased() ?? code
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initializer fails only for characters a header name may not have.
    fileprivate static let notices = Self("EchoText-Notices")!
}
