/// Several recognisers as one: all their models, in order.
package struct CombinedRecognizer: SpeechRecognizer {
    private let parts: [any SpeechRecognizer]

    package init(_ parts: [any SpeechRecognizer]) {
        self.parts = parts
    }

    package func recognizers() async throws -> [Recognizer] {
        var all: [Recognizer] = []
        for part in parts { all += try await part.recognizers() }
        return all
    }

    package func open(_ recognizer: Recognizer.ID, _ settings: RecognitionSettings) async throws
        -> any RecognitionSession
    {
        for part in parts where try await part.recognizers().contains(where: { $0.id == recognizer }) {
            return try await part.open(recognizer, settings)
        }
        throw RecognitionError.noSuchRecognizer(recognizer)
    }
}
