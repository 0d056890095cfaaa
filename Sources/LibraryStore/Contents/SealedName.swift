package import EchoText

/// What a sealed file is called for one who opens it without EchoText.
///
/// It says what the file is, never what a person calls it: the database has those words, and they can be longer than the
/// name of a file may be.
package enum SealedName: Sendable, Hashable {
    /// A whole recording.
    case recording
    /// A stretch of a recording that is being made.
    case recorded
    /// Sentences of a narration that is being made.
    case segment
    /// A document as it was given.
    case original(DocumentKind)
    /// What was read from a document.
    case text
    /// Phrases that are remembered.
    case speech
    case take

    var text: String {
        switch self {
        case .recording: "recording.wav"
        case .recorded: "recording.pcm"
        case .segment: "segment.pcm"
        case .original(let kind): "document.\(kind.fileExtension)"
        case .text: "text.txt"
        case .speech: "speech.pcm"
        case .take: "take.wav"
        }
    }
}
