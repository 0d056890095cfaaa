import API
import ArgumentParser
import EchoText

/// `echotext recordings marks`: the places that a person has marked in a recording.
struct RecordingMarks: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "marks",
        abstract: "List the marks of a recording, or add, name and remove one.",
        discussion: """
            Marks are made while recording, or later. They are the chapters of what was recorded or imported, and stand in \
            exported transcripts.

            Examples:
              echotext recordings marks "Interview"
              echotext recordings marks "Interview" --add 12:30 --label "The harbour"
              echotext recordings marks "Interview" --name 2 --label "The storm"
              echotext recordings marks "Interview" --remove 2
            """
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @Option(help: ArgumentHelp("Add a mark: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var add: PlayTime?

    @Option(help: ArgumentHelp("Give this mark the label; without --label it loses its own.", valueName: "number"))
    var name: Int?

    @Option(help: ArgumentHelp("Remove this mark.", valueName: "number"))
    var remove: Int?

    @Option(help: "What the mark is called.")
    var label: String?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func validate() throws {
        let changes = [add != nil, name != nil, remove != nil].filter { $0 }.count
        if changes > 1 { throw ValidationError("Give one of --add, --name and --remove.") }
        if label != nil, add == nil, name == nil { throw ValidationError("--label is for --add and --name.") }
        guard (label ?? "").utf16.count <= RecordingMark.longestLabel else {
            throw ValidationError("A label has up to \(RecordingMark.longestLabel) characters.")
        }
    }

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        var marks = try await library.audio.marks(of: item.id)
        if try change(&marks, of: item) {
            try await library.audio.setMarks(marks, of: item.id)
            marks = try await library.audio.marks(of: item.id)
        }
        let listed = marks.enumerated().map { index, mark in
            MarkResponse(mark, sampleRate: item.sampleRate, number: index + 1)
        }
        if json { return try Answer.json(listed) }
        guard !listed.isEmpty else { return EchoTextCommand.say("there are no marks in this recording") }
        try Answer.table(
            ["NUMBER", "TIME", "LABEL"],
            listed.map { [$0.number.map(String.init) ?? "", WrittenTranscript.clock($0.seconds), $0.label ?? ""] }
        )
    }

    /// - Returns: Whether something has changed.
    private func change(_ marks: inout [RecordingMark], of item: AudioItem) throws -> Bool {
        if let add {
            guard marks.count < RecordingMark.most else {
                throw RecordingError.tooManyMarks(limit: RecordingMark.most)
            }
            marks.append(RecordingMark(at: add.seconds, label: label, sampleRate: item.sampleRate))
            return true
        }
        if let name {
            let index = try Self.index(of: name, in: marks)
            let seconds = marks[index].seconds(at: item.sampleRate)
            marks[index] = RecordingMark(at: seconds, label: label, sampleRate: item.sampleRate)
            return true
        }
        if let remove {
            marks.remove(at: try Self.index(of: remove, in: marks))
            return true
        }
        return false
    }

    private static func index(of number: Int, in marks: [RecordingMark]) throws -> Int {
        guard number >= 1, number <= marks.count else {
            throw CommandError.contradiction(
                "There is no mark \(number) in this recording.",
                hint: "Leave out --name and --remove for a list."
            )
        }
        return number - 1
    }
}
