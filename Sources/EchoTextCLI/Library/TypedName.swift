import EchoText
import Foundation

/// The words by which a person named a thing that a command changes.
///
/// Where the thing that they mean is gone already, another one is found whose name begins so.
struct TypedName {
    /// The possible names or ids that the person may have meant, in lower case.
    private let words: [String]
    private let id: String
    private let name: ItemName

    /// - Parameters:
    ///   - words: What the person has typed.
    ///   - id: The id of the thing that was found.
    ///   - name: Its name.
    init(_ words: String, for id: String, _ name: ItemName) {
        self.init([words], for: id, name)
    }

    private init(_ words: [String], for id: String, _ name: ItemName) {
        (self.words, self.id, self.name) = (words.map { $0.lowercased() }, id, name)
    }

    /// The words by which a person named a version of a transcript: its own id, or its recording, perhaps with a number.
    init(_ words: String, for transcript: Transcript.ID, of item: AudioItem) {
        let recording = words.wholeMatch(of: /(.+):\d{1,9}/).map { String($0.output.1) }
        let isOwnID = words.lowercased() == transcript.rawValue
        self.init(isOwnID ? [item.id.rawValue] : [recording ?? words, words], for: item.id.rawValue, item.name)
    }

    /// Whether the name is complete, or the id is long enough to be one.
    var isWhole: Bool {
        words.contains { words in
            words.count >= AudioItem.ID.shortestPrefix && id.hasPrefix(words) || words == name.text.lowercased()
        }
    }

    /// Says which thing is changed, where it was named by the beginning of its name.
    func report() {
        guard !isWhole else { return }
        // A name is for the eyes of the person, not for a log.
        let thing = isatty(STDERR_FILENO) == 1 ? "“\(CommandOutput.harmless(name.text))”" : id
        EchoTextCommand.say("note: taken for \(thing), whose name begins so")
    }

    /// Refuses a change that cannot be undone to what is named by the beginning of its name only.
    ///
    /// - Throws: ``CommandError/contradiction(_:hint:)``.
    func requireWhole() throws(CommandError) {
        guard !isWhole else { return }
        throw .contradiction(
            "What cannot be undone is not done to a thing that is named by the beginning of its name.",
            hint: "Give the whole name, or the id: \(id)"
        )
    }
}
