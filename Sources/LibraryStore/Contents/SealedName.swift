package import EchoText

/// The name of the file inside an encrypted one, for a person who decrypts it without EchoText.
///
/// It shows the kind of the file, not the person's name for it: the database has that name, which may be longer than a
/// file name.
package enum SealedName: Sendable, Hashable {
    /// A whole recording.
    case recording
    /// The file that a recording was imported from, with the ending of its name.
    case imported(ending: String?)
    /// A stretch of a recording that is being made.
    case recorded
    /// Sentences of a narration that is being made.
    case segment
    /// A document as it was given.
    case original(DocumentKind)
    /// The text of a document.
    case text
    /// Phrases that are remembered.
    case speech
    case take

    var text: String {
        switch self {
        case .recording: "recording.wav"
        case .imported(let ending): ending.map { "file.\($0)" } ?? "file"
        case .recorded: "recording.pcm"
        case .segment: "segment.pcm"
        case .original(let kind): "document.\(kind.fileExtension)"
        case .text: "text.txt"
        case .speech: "speech.pcm"
        case .take: "take.wav"
        }
    }
}
