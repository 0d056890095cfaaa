package import Foundation

/// The identity of a request to an engine, different for anything that sounds different: the words after all rules, the voice, speed and
/// pitch, and the engine's version.
package struct SpeechRequest: Sendable, Hashable {
    package let utterance: Utterance
    /// The version of the engine and the voice's model.
    package let version: String

    package init(_ utterance: Utterance, version: String) {
        self.utterance = utterance
        self.version = version
    }

    /// The utterance's start in the whole text, which does not influence the sound.
    package var start: Int { utterance.text.pieces.first?.source.lowerBound ?? 0 }

    /// The same bytes for the same request, wherever it is in a text.
    package var canonical: Data {
        var bytes = Data("echotext speech 1".utf8)
        func add(_ text: String) {
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text.utf8)
        }
        add(version)
        add(utterance.voice.rawValue)
        let prosody = utterance.prosody
        add("\(utterance.speaker) \(prosody.speed) \(prosody.pitch) \(prosody.liveliness) \(prosody.rhythm)")
        for piece in utterance.text.pieces {
            let (kind, text) =
                switch piece.content {
                case .written(let text): ("written", text)
                case .words(let text): ("words", text)
                case .phonemes(let text): ("phonemes", text)
                }
            add("\(kind) \(piece.source.lowerBound - start) \(piece.source.count)")
            add(text)
        }
        return bytes
    }
}

/// A cache of speech, so that a text with small changes is not synthesized again as a whole.
///
/// Its size is bounded; the least recently used speech is evicted first. `verifyContract(of:)` in `EchoTextTesting`
/// checks that lookups return the stored speech, to a 16-bit sample, with its marks moved to the position of the
/// request.
package protocol SpeechCache: Sendable {
    /// Returns `nil` if the speech was never stored or was evicted.
    func speech(for request: SpeechRequest) async throws -> SpeechFragment?

    /// Keeps speech, all of it together.
    func keep(_ speech: [(request: SpeechRequest, fragment: SpeechFragment)]) async throws

    /// The size of the stored sound, in bytes.
    func size() async throws -> Int

    func clear() async throws
}

extension SpeechFragment {
    /// Returns the speech with its marks moved by `distance` UTF-16 units.
    package func moved(by distance: Int) -> SpeechFragment {
        var moved = self
        for index in moved.marks.indices {
            let source = moved.marks[index].source
            moved.marks[index].source = source.lowerBound + distance..<source.upperBound + distance
        }
        return moved
    }
}
