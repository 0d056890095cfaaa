import Foundation

/// What the name of a model shows of a recogniser, before it is downloaded too.
package struct RecognizerTraits: Sendable, Hashable {
    private static let prefix = "sherpa-onnx-"

    /// The name of the model's archive or folder without the common prefix.
    private let shortName: String

    /// - Parameter name: The name of the archive without its ending, or of the folder, such as
    ///   `sherpa-onnx-whisper-tiny.en`.
    package init(ofModel name: String) {
        shortName = name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name
    }

    /// The id of the recogniser once it is installed.
    package var recognizer: Recognizer.ID { Recognizer.ID(rawValue: "sherpa/\(shortName)") }

    /// The words of the name in small letters.
    private var words: [String] { shortName.lowercased().split { "-_.".contains($0) }.map(String.init) }

    /// The name for people, with the family first: `Whisper tiny.en`, `Parakeet tdt 0.6b v2 int8`.
    package var title: String {
        var parts = shortName.split(separator: "-").map(String.init)
        // NVIDIA's toolkit, which is not the family that people know.
        if parts.first == "nemo", parts.dropFirst().first == "parakeet" { parts.removeFirst() }
        let text = parts.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// What the names of one model have in common, whoever packed it: neither the format of its numbers nor what else it
    /// reports makes another model of it.
    package var model: String { words.filter { !Self.packing.contains($0) }.joined(separator: " ") }

    private static let packing: Set = ["nemo", "attention", "int8", "fp16"]

    /// Whether the name says that the model knows English alone, though not by its language.
    package var isEnglishOnly: Bool {
        words.contains("distil") || words.contains("parakeet") && !words.contains("v3")
    }

    /// The languages that the multilingual model hears, in BCP 47 and in the order of their tags; empty when they are not known.
    package var hears: [String] {
        if words.contains("whisper") { return RecognizerFolder.whisperLanguages.subtracting(["jw"]).sorted() }
        guard words.contains("parakeet") else { return [] }
        return RecommendedRecognizer.parakeetLanguages.union(["en"]).sorted()
    }

    /// How long the model is expected to need for a second of speech.
    ///
    /// A rough expectation: Whisper tiny.en was measured with two cores (`Documentation/Benchmarks.md`), the others follow from
    /// their sizes.
    ///
    /// - Parameter cores: How many cores the machine has; more than four hardly help.
    /// - Returns: Seconds; `nil` for an unknown model.
    package func pace(cores: Int = ProcessInfo.processInfo.activeProcessorCount) -> Double? {
        let known = Self.works.first { one in one.words.allSatisfy { words.contains($0) } }
        guard let work = known?.work else { return nil }
        return work / Double(min(max(cores, 1), 4))
    }

    /// The seconds that one core needs for a second of speech, by words of the name; the first that fit count.
    private static let works: [(words: [String], work: Double)] = [
        (["moonshine", "tiny"], 0.08), (["moonshine", "base"], 0.16), (["zipformer"], 0.08), (["parakeet"], 0.3),
        (["distil", "small"], 0.5), (["distil", "medium"], 1.3), (["distil", "large"], 2.2),
        (["whisper", "tiny"], 0.11), (["whisper", "base"], 0.22), (["whisper", "small"], 0.7),
        (["whisper", "medium"], 2), (["whisper", "turbo"], 2.2), (["whisper", "large"], 3.6),
    ]
}
