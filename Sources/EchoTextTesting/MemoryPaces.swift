package import EchoText

/// Remembers how long recognisers have needed, as long as it lives.
package actor MemoryPaces: RecognizerPaceStore {
    private var kept = RecognizerPaces()

    package init() {}

    package func paces() -> RecognizerPaces { kept }

    package func note(_ recognizer: Recognizer.ID, heard: Double, took: Double) {
        kept.note(recognizer, heard: heard, took: took)
    }
}
