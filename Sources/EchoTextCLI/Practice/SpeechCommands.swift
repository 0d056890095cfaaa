import API
import ArgumentParser
import EchoText
import FileSystem
import Foundation

/// `echotext speeches`: the person's own texts for practice.
struct SpeechCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speeches",
        abstract: "Speeches: texts of your own of at most \(Speech.longest) characters, to practise.",
        discussion: """
            A speech is named by its id, its title, or the beginning of either.

            Examples:
              echotext speeches add -f wedding.txt --title "Wedding" --language en-GB
              echotext practice --speech Wedding
            """,
        subcommands: [SpeechesList.self, SpeechesAdd.self, SpeechesShow.self, SpeechesEdit.self, SpeechesDelete.self],
        defaultSubcommand: SpeechesList.self
    )
}

/// `echotext speeches list`.
struct SpeechesList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List them, those that were changed last first."
    )

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let speeches = try await library.speeches.speeches()
        let unreadable = try await library.speeches.unreadable()
        if unreadable > 0 {
            EchoTextCommand.say("notice: speeches that cannot be read and are not listed: \(unreadable)")
        }
        if json { return try CommandOutput.json(speeches.map { SpeechResponse($0, isListed: true) }) }
        guard !speeches.isEmpty else { return EchoTextCommand.say("no speeches") }
        try CommandOutput.table(
            ["ID", "CHANGED", "LANGUAGE", "CHARACTERS", "TITLE"],
            speeches.map { speech in
                [
                    String(speech.id.rawValue.prefix(8)), CommandOutput.date(speech.updated), speech.language,
                    String(speech.characters), speech.title.text,
                ]
            }
        )
    }
}

/// `echotext speeches add`.
struct SpeechesAdd: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Keep a speech.",
        discussion: "Without TEXT and -f, reads standard input."
    )

    @OptionGroup
    var text: SpeechTextOptions

    @Option(help: ArgumentHelp("What it is called; the first words of the text when absent.", valueName: "title"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The language it is in, such as en-GB or et; when absent the profile's voice's, unless the words are clearly of another.",
            valueName: "tag"
        )
    )
    var language: String?

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let text = try await text.text()
        let tag = if let language { language } else { try await Self.language(of: text, in: library) }
        let speech = try Speech(title: title, text: text, language: tag, created: Date())
        try await library.speeches.save(speech)
        if json { return try CommandOutput.json(SpeechResponse(speech)) }
        EchoTextCommand.say("kept as “\(speech.title)” (\(speech.id.rawValue.prefix(8)))")
    }

    /// The language of the profile's voice, or the one that the words show.
    private static func language(of text: String, in library: Library) async throws -> String {
        let profile = try await library.profiles.chosen().profile
        let voices = try await Studio.with { studio in await studio.voices }
        let own = try? VoiceSearch(among: voices).voice(called: profile.voice.rawValue)
        let spoken = own?.language ?? "en"
        // Words resemble those of a language nearby where the voice's own is none that is recognized.
        guard LanguageGuess.knows(spoken), let shown = LanguageGuess.language(of: text),
            shown != LanguageTag.language(of: spoken)
        else { return spoken }
        return shown
    }
}

/// `echotext speeches show`.
struct SpeechesShow: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print the text of a speech.")

    @Argument(help: "A speech, by id or title.")
    var speech: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let speech = try await library.speeches.speech(called: speech)
        if json { return try CommandOutput.json(SpeechResponse(speech)) }
        try CommandOutput.text(speech.text)
    }
}

/// `echotext speeches edit`.
struct SpeechesEdit: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the text, the title or the language of a speech.",
        discussion: """
            What is not given stays as it is. For another text, give the whole title, or the id.

            Example:
              echotext speeches edit Wedding -f wedding.txt
            """
    )

    @Argument(help: "A speech, by id or title.")
    var speech: String

    @Option(name: [.short, .long], help: "Read the text from this file; - is standard input.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("What it is called.", valueName: "title"))
    var title: String?

    @Option(help: ArgumentHelp("The language it is in, such as en-GB or et.", valueName: "tag"))
    var language: String?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if file == nil, title == nil, language == nil {
            throw ValidationError("Give -f, --title or --language.")
        }
    }

    func run(in library: Library) async throws {
        let speech = try await library.speeches.speech(called: speech)
        let typed = TypedName(self.speech, for: speech.id.rawValue, speech.title)
        if file != nil { try typed.requireWhole() }
        typed.report()
        var text: String?
        if let file { text = try await SpeechTextOptions.text(of: SpeakInput(text: nil, file: file)) }
        let changed = try await library.speeches.change(speech.id) { [text] present in
            try present.changed(
                title: title ?? present.title.text,
                text: text ?? present.text,
                language: language ?? present.language,
                at: Date()
            )
        }
        if json { return try CommandOutput.json(SpeechResponse(changed)) }
        EchoTextCommand.say("“\(changed.title)” is changed")
    }
}

/// `echotext speeches delete`.
struct SpeechesDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a speech for good.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes, and a whole title or id."
    )

    @Argument(help: "A speech, by id or title.")
    var speech: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let speech = try await library.speeches.speech(called: speech)
        try confirmation.requireWholeNames([self.speech], of: [(id: speech.id.rawValue, name: speech.title)])
        try await confirmation.confirm("Delete “\(speech.title)” for good?")
        try await library.speeches.delete(speech.id)
        if json { return try CommandOutput.json(DeletedOutput(deleted: speech.id)) }
        EchoTextCommand.say("“\(speech.title)” is deleted")
    }
}

/// The options that give the text of a speech.
struct SpeechTextOptions: ParsableArguments {
    @Argument(help: "The text.")
    var text: String?

    @Option(name: [.short, .long], help: "Read the text from this file; - is standard input.", completion: .file())
    var file: String?

    func validate() throws {
        if text != nil, file != nil { throw ValidationError("Give TEXT or -f FILE, not both.") }
    }

    func text() async throws -> String { try await Self.text(of: SpeakInput(text: text, file: file)) }

    /// Reads the whole text, up to the limit of a speech.
    ///
    /// - Throws: ``TextSourceError``, ``SpeechError/tooLong(_:limit:)``.
    static func text(of input: SpeakInput) async throws -> String {
        var text = ""
        while let piece = try await input.source.next() {
            text += piece
            // `largest` bytes are enough for the longest text that a speech may have, whatever its characters.
            guard text.utf8.count <= largest else { throw SpeechError.tooLong(text.count, limit: Speech.longest) }
        }
        await input.reportNotices()
        // A text file ends with a line end, which is not part of the speech.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static let largest = 100 * Speech.longest
}
