/// A recogniser of the catalogue that people are advised to take.
package struct RecommendedRecognizer: Sendable, Hashable {
    /// The reason for the recommendation.
    package enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// Small and fast enough to write while somebody speaks.
        case quick
        /// Few errors, for its size.
        case balanced
        /// The fewest errors, and the longest wait.
        case best
    }

    package let entry: CatalogueEntry.ID
    package let reason: Reason

    private init(_ entry: String, _ reason: Reason) {
        (self.entry, self.reason) = (CatalogueEntry.ID(rawValue: entry), reason)
    }

    /// The recommended recognisers for a language, the fastest first.
    ///
    /// - Parameter language: BCP 47; `nil` or `und` when it is not known.
    /// - Returns: One recogniser for each reason.
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

    /// The languages of Parakeet v3 other than English.
    static let parakeetLanguages: Set = [
        "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl", "pt",
        "ro",
        "ru", "sk", "sl", "sv", "uk",
    ]
}

/// A recogniser of the catalogue as lists show it.
package struct RecognizerOffer: Sendable, Hashable {
    package let entry: CatalogueEntry
    /// `nil` if it is not recommended.
    package let reason: RecommendedRecognizer.Reason?
    package let download: VoiceDownload.State
    package let isInstalled: Bool

    package init(
        entry: CatalogueEntry,
        reason: RecommendedRecognizer.Reason?,
        download: VoiceDownload.State,
        isInstalled: Bool
    ) {
        (self.entry, self.reason, self.download, self.isInstalled) = (entry, reason, download, isInstalled)
    }
}

extension VoiceCatalogue {
    /// The recognisers that EchoText can use, the recommended ones for a language first.
    ///
    /// - Parameter language: BCP 47; `nil` or `und` when it is not known.
    /// - Returns: Each recogniser once, with the reason if it is recommended.
    package func recognizers(
        for language: String? = nil
    ) -> [(entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?)] {
        let recommended = RecommendedRecognizer.all(for: language)
        let first: [(entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?)] = recommended.compactMap { one in
            self[one.entry].map { ($0, one.reason) }
        }
        let others = entries.filter { entry in
            guard case .recogniser = entry.kind else { return false }
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
