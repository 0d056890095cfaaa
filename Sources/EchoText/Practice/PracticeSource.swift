/// The source of a practised text.
package enum PracticeSource: Sendable, Hashable, Codable {
    /// A text that is nowhere else, with its language (BCP 47).
    case text(String, language: String)
    case speech(Speech.ID)
    /// A document, or the parts of it that a selection has.
    case document(Document.ID, DocumentSelection?)
    /// The text of a recording: that of a narration, or of a transcript.
    case recording(AudioItem.ID)
    /// A text of the history.
    case history(HistoryEntry.ID)
    /// The hard segments that are due.
    case hard
    /// The text of another session; a new session gets that session's source.
    case session(KeptPractice.ID)
}
