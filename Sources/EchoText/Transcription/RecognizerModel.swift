import Foundation

/// The files from which a local recognizer is opened.
package enum RecognizerModel: Sendable, Hashable, Codable {
    case sherpaOnnx(RecognizerFolder)
    /// The folder of a language's models, such as Debian's `/usr/share/pocketsphinx/model/en-us`.
    case pocketSphinx(folder: String)

    /// Whether it recognizes 30 s at a time, whatever a clip's length.
    package var prefersLongClips: Bool {
        switch self {
        case .sherpaOnnx(let folder): folder.layout == .whisper
        case .pocketSphinx: false
        }
    }

    /// The silence between clips that it recognizes as one, in windows; `nil` for one that recognizes each alone.
    ///
    /// A model that does not say when each word was said ends a passage in two seconds of silence. Its stamps are often
    /// whole seconds; one that is wrong by as much is still not in the speech of another clip.
    package var pauseInPacks: Int? {
        guard prefersLongClips, case .sherpaOnnx(let folder) = self else { return nil }
        return folder.reportsLooks ? 0 : Self.longPause
    }

    /// With the margins of two clips, what ends a clip.
    fileprivate static let longPause = SegmentationRules.long.longPause - 2 * SegmentationRules.long.margin

    /// Absolute path of the folder in which all its files are.
    package var path: String {
        switch self {
        case .sherpaOnnx(let folder): folder.path
        case .pocketSphinx(let folder): folder
        }
    }
}

/// A local recognizer and its files.
package struct LocalRecognizer: Sendable, Hashable {
    package let recognizer: Recognizer
    package let model: RecognizerModel

    package init(_ recognizer: Recognizer, model: RecognizerModel) {
        (self.recognizer, self.model) = (recognizer, model)
    }

    /// The silence between clips that may be given to it as one, in windows.
    ///
    /// Follows ``RecognizerModel/pauseInPacks``; where it finds out the language itself, it has to find the clips in the
    /// sound, as each may be in another.
    package func pauseInPacks(with settings: RecognitionSettings) -> Int? {
        let isSet = settings.language.map { !["und", "mul"].contains($0) } ?? false
        let isKnown = isSet || recognizer.languages != ["mul"]
        return model.pauseInPacks.map { isKnown ? $0 : RecognizerModel.longPause }
    }
}

extension LocalRecognizer {
    /// PocketSphinx's English, where Debian's packages of it are installed.
    package static func pocketSphinx(in folder: String = "/usr/share/pocketsphinx/model/en-us") -> LocalRecognizer? {
        let libraries = ["/usr/lib", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
        let files = FileManager.default
        let isThere = libraries.contains { files.fileExists(atPath: "\($0)/libpocketsphinx.so.3") }
        guard isThere, files.fileExists(atPath: "\(folder)/en-us.lm.bin") else { return nil }
        let recognizer = Recognizer(
            id: Recognizer.ID(rawValue: "pocketsphinx/en-US"),
            name: "PocketSphinx (basic)",
            engine: .pocketSphinx,
            languages: ["en-US"],
            timing: .words,
            size: ModelReceipt.files(in: folder).values.totalSize
        )
        return LocalRecognizer(recognizer, model: .pocketSphinx(folder: folder))
    }
}

/// Opens models of recognizers in this process.
///
/// A foreign model can end the process: all but tests open them in a worker.
package protocol RecognizerLoader: Sendable {
    /// - Parameters:
    ///   - model: The files.
    ///   - settings: The person's settings.
    ///   - lanes: How many clips it should recognize at once.
    /// - Returns: A session that keeps the promises of ``RecognitionSession``.
    /// - Throws: ``RecognitionError``.
    func open(_ model: RecognizerModel, _ settings: RecognitionSettings, lanes: Int) async throws
        -> any RecognitionSession

    /// Checks what ``open(_:_:lanes:)`` takes for granted of a model that is installed.
    ///
    /// - Throws: ``RecognitionError``.
    func check(_ model: RecognizerModel) async throws
}

extension Recognizer {
    /// Whether it supports a language, as far as that is known.
    ///
    /// - Parameter language: BCP 47; every recognizer supports `nil`, `und` and `mul`.
    /// - Returns: `true` for a multilingual recognizer.
    package func knows(_ language: String?) -> Bool {
        guard let language, !["und", "mul"].contains(language), !languages.contains("mul") else { return true }
        return languages.contains { LanguageTag.language(of: $0) == LanguageTag.language(of: language) }
    }

    /// Whether a language may be set, as far as is known; a multilingual recognizer refuses one that it does not hear.
    fileprivate func mayHear(_ language: String) -> Bool {
        let isListed = hears.contains { LanguageTag.language(of: $0) == LanguageTag.language(of: language) }
        return knows(language) && (hears.isEmpty || isListed)
    }

    /// The only language that it recognizes, or else the one that the text of its segments seems to be in.
    ///
    /// - Returns: `nil` where that is not clear, or none that it hears.
    package func language(of segments: [TranscriptSegment]) -> String? {
        if let only = languages.first, languages.count == 1, only != "mul" { return only }
        let guess = LanguageGuess.language(of: segments.map(\.text).joined(separator: " "))
        return guess.flatMap { mayHear($0) ? $0 : nil }
    }

    /// Refuses a language that the recognizer does not know.
    ///
    /// - Throws: ``RecognitionError/unsupportedLanguage(_:)``.
    package func check(_ settings: RecognitionSettings) throws(RecognitionError) {
        guard !knows(settings.language) else { return }
        throw .unsupportedLanguage(settings.language ?? "und")
    }
}

extension RecognitionSettings {
    /// Takes the language of a recording where none is set and a recognizer hears it.
    ///
    /// Where `und` is set, the recognizers find the language out, whatever the recording's is.
    ///
    /// - Parameters:
    ///   - spoken: The recording's language, BCP 47; ignored where it is none in particular, such as `und` and `zxx`.
    ///   - recognizers: Those that are asked, in order.
    package mutating func settleLanguage(spoken: String, among recognizers: [Recognizer]) {
        if language == "und" {
            language = nil
        } else if language == nil, SpokenLanguage(spoken).code != nil {
            let asked = recognizers.filter { $0.knows(spoken) }
            // A local one that would refuse it finds it out, rather than leave the sound to a service behind it.
            let isHeard = asked.first?.mayHear(spoken) ?? false
            if isHeard || asked.contains(where: { $0.engine != .remote && $0.mayHear(spoken) }) { language = spoken }
        }
    }
}
