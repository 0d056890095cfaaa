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

    /// Where the utterance begins in the whole text: nothing that sounds depends on it.
    package var start: Int { utterance.text.pieces.first?.source.lowerBound ?? 0 }

    /// The same bytes for the same request, wherever in a text it stands.
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

/// Speech that was made before, so that a text that was changed a little is not spoken again from end to end.
///
/// It is bounded: what has not been asked for the longest goes first. `verifyContract(of:)` in `EchoTextTesting` checks that
/// what is found is what was kept, to a 16-bit sample, and its marks moved to where the request stands.
package protocol SpeechCache: Sendable {
    /// Returns `nil` when it was not kept, or has gone.
    func speech(for request: SpeechRequest) async throws -> SpeechFragment?

    /// Keeps speech, all of it together.
    func keep(_ speech: [(request: SpeechRequest, fragment: SpeechFragment)]) async throws

    /// Bytes of sound that are kept.
    func size() async throws -> Int

    func clear() async throws
}

extension SpeechFragment {
    /// The same speech of a text that stands `distance` units further on.
    package func moved(by distance: Int) -> SpeechFragment {
        var moved = self
        for index in moved.marks.indices {
            let source = moved.marks[index].source
            moved.marks[index].source = source.lowerBound + distance..<source.upperBound + distance
        }
        return moved
    }
}
