import EchoText
import FileSystem
import Foundation
import ONNXFormat

/// Adds what sherpa-onnx needs to a Piper voice from another source: metadata in the model, and `tokens.txt`.
///
/// Both are derived from the `.onnx.json`. Existing data stays unchanged; the examiner reports what could not be
/// derived.
struct VoiceCompletion {
    /// The limit on the description, in bytes.
    private static let largestDescription = 4 << 20

    private let folder: String
    private let name: String
    private let description: Description

    /// Fails for a folder whose description cannot be read.
    ///
    /// - Parameters:
    ///   - folder: The voice's folder, whose files may be changed.
    ///   - name: The model's file name without `.onnx`.
    init?(of folder: String, named name: String) {
        let url = URL(filePath: "\(folder)/\(name).onnx.json")
        // The voice's examiner reports the file's error.
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.largestDescription,
            let data = try? Data(contentsOf: url),
            let description = try? JSONDecoder().decode(Description.self, from: data)
        else { return nil }
        (self.folder, self.name, self.description) = (folder, name, description)
    }

    /// Adds the missing parts.
    ///
    /// - Throws: ``VoiceInstallError``.
    func complete() throws {
        let tokens = "\(folder)/tokens.txt"
        if !FileManager.default.fileExists(atPath: tokens), !description.symbols.isEmpty {
            try Self.append(Data(description.tokens.utf8), to: tokens)
        }
        let model = "\(folder)/\(name).onnx"
        guard let bytes = try? Data(contentsOf: URL(filePath: model), options: .alwaysMapped),
            let metadata = ONNXMetadata(of: bytes)
        else { return }
        let missing = notes.filter { !metadata.keys.contains($0.key) }
        guard !missing.isEmpty else { return }
        try Self.append(ONNXMetadata.ending(adding: missing), to: model)
    }

    /// - SeeAlso: sherpa-onnx's `docs/source/onnx/tts/piper.rst`, which requires these.
    private var notes: [(key: String, value: String)] {
        let voice = description.espeak?.voice ?? description.language?.code ?? String(name.prefix { $0 != "-" })
        return [
            ("model_type", "vits"),
            ("comment", "piper"),
            ("language", description.language?.englishName ?? voice),
            ("voice", voice),
            ("has_espeak", description.phonemeType == "text" ? "0" : "1"),
            ("n_speakers", String(description.speakers ?? 1)),
            ("sample_rate", String(description.audio.sampleRate)),
        ]
    }

    private static func append(_ bytes: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw VoiceInstallError(writing: errno, at: path) }
        defer { close(file) }
        try bytes.withUnsafeBytes { try $0.writeAll(to: file) { VoiceInstallError(writing: $0, at: path) } }
    }
}

/// The parts of `.onnx.json` that are used here.
private struct Description: Decodable {
    struct Audio: Decodable {
        let sampleRate: Int

        enum CodingKeys: String, CodingKey {
            case sampleRate = "sample_rate"
        }
    }

    struct Espeak: Decodable {
        let voice: String
    }

    struct Language: Decodable {
        let code: String
        let englishName: String?

        enum CodingKeys: String, CodingKey {
            case code
            case englishName = "name_english"
        }
    }

    let audio: Audio
    let espeak: Espeak?
    let language: Language?
    let phonemeType: String?
    let speakers: Int?
    let symbols: [String: [Int]]

    enum CodingKeys: String, CodingKey {
        case audio
        case espeak
        case language
        case phonemeType = "phoneme_type"
        case speakers = "num_speakers"
        case symbols = "phoneme_id_map"
    }

    /// One line for each symbol of a single scalar; the engine accepts no others.
    var tokens: String {
        let single = symbols.compactMap { symbol, numbers in
            symbol.unicodeScalars.count == 1 ? numbers.first.map { (number: $0, symbol: symbol) } : nil
        }
        return single.sorted { ($0.number, $0.symbol) < ($1.number, $1.symbol) }
            .map { "\($0.symbol) \($0.number)\n" }.joined()
    }
}
