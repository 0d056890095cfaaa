import Foundation

/// A recognizer of the catalogue that people are advised to take.
package struct RecommendedRecognizer: Sendable, Hashable {
    /// The reason for the recommendation.
    package enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// Small and fast enough to write while somebody speaks.
        case quick
        /// Few errors, for its size.
        case balanced
        /// The fewest errors; the wait may be longer or shorter than for the others.
        case best
    }

    package let entry: CatalogueEntry.ID
    package let reason: Reason

    private init(_ entry: String, _ reason: Reason) {
        (self.entry, self.reason) = (CatalogueEntry.ID(rawValue: entry), reason)
    }

    /// The recommended recognizers for a language: the quick one, the balanced one and the best.
    ///
    /// - Parameter language: BCP 47; `nil` or `und` when it is not known.
    /// - Returns: One recognizer for each reason.
    package static func all(for language: String?) -> [RecommendedRecognizer] {
        switch language.map({ LanguageTag.language(of: $0) }) {
        case "en": english
        case let language? where parakeetLanguages.contains(language): european
        default: manyLanguages
        }
    }

    /// Whisper's English-only models are more accurate than its multilingual ones of the same size; Parakeet is the
    /// most accurate, and fast for its size.
    private static let english = [
        RecommendedRecognizer("sherpa-onnx-whisper-tiny.en", .quick),
        RecommendedRecognizer("sherpa-onnx-whisper-base.en", .balanced),
        RecommendedRecognizer("sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8", .best),
    ]
    private static let european = [
        RecommendedRecognizer("sherpa-onnx-whisper-base", .quick),
        RecommendedRecognizer("sherpa-onnx-whisper-small", .balanced),
        RecommendedRecognizer("sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", .best),
    ]
    private static let manyLanguages = [
        RecommendedRecognizer("sherpa-onnx-whisper-base", .quick),
        RecommendedRecognizer("sherpa-onnx-whisper-small", .balanced),
        RecommendedRecognizer("sherpa-onnx-whisper-turbo", .best),
    ]

    /// The recommended recognizers for any language.
    fileprivate static let everywhere = manyLanguages + european + english

    /// The languages of Parakeet v3 other than English.
    static let parakeetLanguages: Set = [
        "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl", "pt",
        "ro",
        "ru", "sk", "sl", "sv", "uk",
    ]
}

/// A recognizer of the catalogue as lists show it.
package struct RecognizerOffer: Sendable, Hashable {
    package let entry: CatalogueEntry
    /// `nil` if it is not recommended.
    package let reason: RecommendedRecognizer.Reason?
    package let download: ModelDownload.State
    package let isInstalled: Bool

    package init(
        entry: CatalogueEntry,
        reason: RecommendedRecognizer.Reason?,
        download: ModelDownload.State,
        isInstalled: Bool
    ) {
        (self.entry, self.reason, self.download, self.isInstalled) = (entry, reason, download, isInstalled)
    }
}

extension ModelCatalogue {
    /// The recognizers that EchoText can use, the recommended ones for a language first.
    ///
    /// - Parameter language: BCP 47; `nil` or `und` when it is not known.
    /// - Returns: Each recognizer once, with the reason if it is recommended.
    package func recognizers(
        for language: String? = nil
    ) -> [(entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?)] {
        let recommended = RecommendedRecognizer.all(for: language)
        let first: [(entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?)] = recommended.compactMap { one in
            self[one.entry].map { ($0, one.reason) }
        }
        let others = entries.filter { entry in
            guard case .recognizer = entry.kind else { return false }
            // Streaming models need another interface.
            return !entry.id.rawValue.contains("streaming") && !recommended.contains { $0.entry == entry.id }
        }
        let wanted = language.flatMap { ["und", "mul"].contains($0) ? nil : LanguageTag.language(of: $0) }
        let fitting = others.filter { entry in
            wanted.map { entry.language == "mul" || LanguageTag.matches(entry.language, range: $0) } ?? true
        }
        let rest: [(entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?)] = fitting.map { ($0, nil) }
        return first + rest
    }
}

/// The order of preference of recognizers: those the person named, then all others, the best first.
package struct RecognizerOrder: Sendable, Hashable {
    /// Each once.
    package let ids: [Recognizer.ID]

    package init(_ ids: [Recognizer.ID]) {
        var seen: Set<Recognizer.ID> = []
        self.ids = ids.filter { seen.insert($0).inserted }
    }

    /// From the text of a setting: ids with spaces between them.
    package init?(text: String) {
        let ids = text.split(separator: " ").map { Recognizer.ID(rawValue: String($0)) }
        guard ids.count <= 32, ids.allSatisfy(\.isPlain) else { return nil }
        self.init(ids)
    }

    /// The form stored in a setting.
    package var text: String { ids.map(\.rawValue).joined(separator: " ") }

    /// The recognizers in the order in which they are asked.
    ///
    /// Those that the person did not name follow as they are recommended: the best, the balanced one, those that are not
    /// recommended, the quick one; then the basic one, and at last services.
    ///
    /// - Parameters:
    ///   - recognizers: As they are listed.
    ///   - language: BCP 47; those that know it come first. `nil` or `und` when it is not known.
    /// - Returns: All of them.
    package func sorted(_ recognizers: [Recognizer], for language: String? = nil) -> [Recognizer] {
        let named = ids.compactMap { id in recognizers.first { $0.id == id } }
        let others = recognizers.filter { !ids.contains($0.id) }.map { (one: $0, rank: $0.rank(for: language)) }
        let all = named + others.sorted { $0.rank < $1.rank }.map(\.one)
        return all.filter { $0.knows(language) } + all.filter { !$0.knows(language) }
    }

    /// The recognizers that are asked where the person names none: a service only when the order has it.
    package func asked(of recognizers: [Recognizer], for language: String? = nil) -> [Recognizer] {
        sorted(recognizers, for: language).filter { $0.engine != .remote || ids.contains($0.id) }
    }
}

extension Recognizer {
    /// The place among recognizers that the person did not order; those of the same place stay as they are listed.
    ///
    /// For an unknown language, what is recommended for any counts, and a model of many languages before one of few.
    fileprivate func rank(for language: String?) -> Int {
        let isUnknown = language.map { ["und", "mul"].contains($0) } ?? true
        switch engine {
        case .remote: return 10
        case .pocketSphinx: return 8
        case .sherpaOnnx:
            // A model that is not recommended is one that a person has looked for.
            guard let reason = recommendation(for: isUnknown ? nil : language) else { return 4 }
            let place =
                switch reason {
                case .best: 0
                case .balanced: 2
                case .quick: 6
                }
            return isUnknown && !languages.contains("mul") ? place + 1 : place
        }
    }

    /// The reason to recommend the model.
    ///
    /// - Parameter language: BCP 47; `nil` for any.
    /// - Returns: `nil` for a model that is not recommended.
    private func recommendation(for language: String?) -> RecommendedRecognizer.Reason? {
        let model = RecognizerTraits(ofModel: id.modelName).model
        let recommended = language.map { RecommendedRecognizer.all(for: $0) } ?? RecommendedRecognizer.everywhere
        return recommended.first { RecognizerTraits(ofModel: $0.entry.rawValue).model == model }?.reason
    }
}

extension Recognizer.ID {
    /// The part after the engine.
    package var modelName: String { String(rawValue.drop { $0 != "/" }.dropFirst()) }

    /// Whether it is of a service elsewhere.
    package var isOfService: Bool { rawValue.hasPrefix("remote/") }

    /// Whether it is an engine and a name, without white space.
    fileprivate var isPlain: Bool {
        let parts = rawValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && rawValue.utf8.count <= 200
            && rawValue.allSatisfy { !$0.isWhitespace }
    }
}

extension SettingsStore {
    /// Reads the order of preference.
    package func recognizerOrder() async throws -> RecognizerOrder {
        RecognizerOrder(text: try await value(of: SettingsCatalogue.recognizers)) ?? RecognizerOrder([])
    }
}

/// How long recognizers have needed on a machine, and what follows from it for others.
package struct RecognizerPaces: Sendable, Hashable, Codable {
    /// The amount that a recognizer has transcribed, and the time it took.
    private struct Record: Sendable, Hashable, Codable {
        /// The length of the sound, in seconds.
        var heard: Double
        /// How long that took, in seconds.
        var took: Double

        /// Seconds for a second of sound; `nil` where the numbers make no sense.
        var pace: Double? {
            let pace = took / heard
            return heard > 0 && pace > 0 && pace < RecognizerPaces.slowest ? pace : nil
        }
    }

    /// The time that a recognizer is expected to need.
    package struct Expectation: Sendable, Hashable {
        /// Seconds for a second of sound.
        package let pace: Double
        /// Whether it was measured with this recognizer, and does not follow from its size.
        package let isMeasured: Bool
    }

    /// The shortest sound that says something of a recognizer's speed, in seconds.
    package static let shortestSound = 10.0
    /// No recognizer needs as many seconds for a second of sound.
    private static let slowest = 100_000.0
    /// The seconds of sound after which earlier sound counts for half.
    private static let longestMemory = 3_600.0

    /// The records by the recognizers' ids.
    private var records: [String: Record] = [:]

    package init() {}

    /// Notes that a recognizer has heard sound; of too short a sound nothing is noted.
    ///
    /// - Parameters:
    ///   - recognizer: Its id.
    ///   - length: The length of the sound, in seconds.
    ///   - took: How long that took, in seconds.
    package mutating func note(_ recognizer: Recognizer.ID, length: Double, took: Double) {
        guard length >= Self.shortestSound, took > 0 else { return }
        var record = records[recognizer.rawValue] ?? Record(heard: 0, took: 0)
        if record.heard > Self.longestMemory {
            (record.heard, record.took) = (record.heard / 2, record.took / 2)
        }
        record.heard += length
        record.took += took
        records[recognizer.rawValue] = record
    }

    /// The time that a recognizer is expected to need on this machine.
    ///
    /// Where it has heard nothing here yet, the expectation of its size is corrected by what others have needed.
    ///
    /// - Parameters:
    ///   - recognizer: Its id, also that of one that is not installed.
    ///   - cores: How many cores the machine has.
    /// - Returns: `nil` where nothing is known, as of a service.
    package func expectation(
        of recognizer: Recognizer.ID,
        cores: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Expectation? {
        if let pace = records[recognizer.rawValue]?.pace { return Expectation(pace: pace, isMeasured: true) }
        guard let estimate = Self.estimate(of: recognizer, cores) else { return nil }
        return Expectation(pace: estimate * slowness(cores), isMeasured: false)
    }

    /// The first of some recognizers that is expected to write while somebody speaks; the first of all if none is.
    ///
    /// A model that pads short clips needs longer for them than for the long ones by which its pace is measured, so it may
    /// need half the time for those. The basic recognizer takes the place of no other: what a slow one writes late has
    /// fewer mistakes.
    ///
    /// - Parameter recognizers: In the order of preference.
    /// - Returns: `nil` when there are none.
    package func firstToKeepUp(among recognizers: [Recognizer]) -> Recognizer? {
        guard let first = recognizers.first, first.engine != .pocketSphinx else { return recognizers.first }
        let better = recognizers.filter { $0.engine != .pocketSphinx }
        return better.first { (expectation(of: $0.id)?.pace ?? 0) <= 0.5 } ?? first
    }

    /// How many times the expected time recognizers have needed here, in the middle; 1 where none was measured.
    private func slowness(_ cores: Int) -> Double {
        let ratios = records.compactMap { id, record -> Double? in
            guard let pace = record.pace, let estimate = Self.estimate(of: Recognizer.ID(rawValue: id), cores) else {
                return nil
            }
            return pace / estimate
        }
        return ratios.isEmpty ? 1 : ratios.sorted()[ratios.count / 2]
    }

    private static func estimate(of recognizer: Recognizer.ID, _ cores: Int) -> Double? {
        RecognizerTraits(ofModel: recognizer.modelName).pace(cores: cores)
    }
}

/// Stores how long recognizers have needed: the port to a file of this machine, as a library can move to another.
package protocol RecognizerPaceStore: Sendable {
    /// The stored paces; none if they cannot be read.
    func paces() async -> RecognizerPaces

    /// Stores that a recognizer has heard sound; one that cannot be stored is left out.
    ///
    /// - Parameters:
    ///   - recognizer: Its id.
    ///   - length: The length of the sound, in seconds.
    ///   - took: How long that took, in seconds.
    func note(_ recognizer: Recognizer.ID, length: Double, took: Double) async
}
