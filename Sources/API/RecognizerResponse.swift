package import EchoText

/// The recognizers, and those that can be downloaded.
package struct RecognizersResponse: Encodable, Sendable {
    package let recognizers: [RecognizerResponse]
    /// The ids that the person has put first.
    package let order: [Recognizer.ID]
    package let offers: [RecognizerOfferResponse]

    package init(recognizers: [RecognizerResponse], order: [Recognizer.ID], offers: [RecognizerOfferResponse]) {
        (self.recognizers, self.order, self.offers) = (recognizers, order, offers)
    }
}

/// The kind of an entry in a command's list of recognizers.
package enum RecognizerEntryKind: String, Encodable, Sendable {
    case recognizer
    /// A model that tells speakers apart.
    case speakers
}

/// A recognizer that can be used.
package struct RecognizerResponse: Encodable, Sendable {
    package let id: Recognizer.ID
    package let name: String
    package let engine: Recognizer.Engine
    /// BCP 47; `mul` for many.
    package let languages: [String]
    /// The languages that it hears, BCP 47; empty where they are not known.
    package let hears: [String]
    /// The seconds that it is expected to need for a second of speech; null where that is not known.
    @Nullable package var pace: Double?
    /// Whether that was measured with it on this machine; else it is an estimate.
    package let isPaceMeasured: Bool
    /// How exactly it knows when something was said.
    package let timing: Recognizer.Timing
    package let takesLanguage: Bool
    package let takesHotwords: Bool
    package let takesPrompt: Bool
    /// Bytes on this disk; null for a service.
    @Nullable package var size: Int64?
    /// Whether it is asked first.
    package let isDefault: Bool
    /// In a command's list: what this entry is.
    package private(set) var kind: RecognizerEntryKind?
    /// In a command's list: whether it is on this machine.
    package private(set) var isInstalled: Bool?

    package init(_ recognizer: Recognizer, _ paces: RecognizerPaces, isDefault: Bool) {
        (id, name, engine) = (recognizer.id, recognizer.name, recognizer.engine)
        (languages, timing) = (recognizer.languages, recognizer.timing)
        (takesLanguage, takesHotwords) = (recognizer.takesLanguage, recognizer.takesHotwords)
        takesPrompt = recognizer.takesPrompt
        hears = recognizer.languages == ["mul"] ? recognizer.hears : recognizer.languages
        let expected = paces.expectation(of: recognizer.id)
        isPaceMeasured = expected?.isMeasured ?? false
        self.isDefault = isDefault
        (pace, size) = (expected?.pace, recognizer.size)
    }

    /// The answer of a command about `recognizer`.
    package static func answer(
        about recognizer: Recognizer,
        _ paces: RecognizerPaces,
        isDefault: Bool
    ) -> RecognizerResponse {
        var answer = RecognizerResponse(recognizer, paces, isDefault: isDefault)
        (answer.kind, answer.isInstalled) = (.recognizer, true)
        return answer
    }
}

/// A recognizer that can be downloaded.
package struct RecognizerOfferResponse: Encodable, Sendable {
    /// The id of its download.
    package let entry: CatalogueEntry.ID
    package let name: String
    package let languages: [String]
    /// The languages that it hears, BCP 47; empty where they are not known.
    package let hears: [String]
    /// The seconds that it is expected to need for a second of speech; null where that is not known.
    @Nullable package var pace: Double?
    /// Whether that was measured with it on this machine; else it is an estimate.
    package let isPaceMeasured: Bool
    /// Why it is recommended.
    @Nullable package var reason: RecommendedRecognizer.Reason?
    /// The download's size, if known.
    @Nullable package var archiveBytes: Int64?
    /// The same, or an estimate.
    package let expectedBytes: Int64
    package let download: VoiceStateResponse
    /// In a command's list: what this entry is.
    package private(set) var kind: RecognizerEntryKind?
    /// In a command's list: whether it is on this machine.
    package private(set) var isInstalled: Bool?
    /// In a command's list: whether it is asked first.
    package private(set) var isDefault: Bool?
    /// In a command's list: the same as ``expectedBytes``.
    package private(set) var size: Int64?

    package init(_ offer: RecognizerOffer, _ paces: RecognizerPaces) {
        let traits = RecognizerTraits(ofModel: offer.entry.id.rawValue)
        (entry, name) = (offer.entry.id, traits.title)
        languages = [offer.entry.language]
        hears = offer.entry.language == "mul" ? traits.hears : [offer.entry.language]
        let expected = paces.expectation(of: traits.recognizer)
        isPaceMeasured = expected?.isMeasured ?? false
        expectedBytes = offer.entry.expectedBytes
        download = VoiceStateResponse(offer.download)
        (pace, reason, archiveBytes) = (expected?.pace, offer.reason, offer.entry.archiveBytes)
    }

    /// The answer of a command about `offer`.
    package static func answer(about offer: RecognizerOffer, _ paces: RecognizerPaces) -> RecognizerOfferResponse {
        var answer = RecognizerOfferResponse(offer, paces)
        (answer.kind, answer.isInstalled, answer.isDefault) = (.recognizer, offer.isInstalled, false)
        answer.size = answer.expectedBytes
        return answer
    }
}
