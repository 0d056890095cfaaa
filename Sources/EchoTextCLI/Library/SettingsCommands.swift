import API
import ArgumentParser
import EchoText

/// `echotext settings`: the settings and their values.
struct SettingsCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show and change settings.",
        subcommands: [SettingsList.self, SettingsGet.self, SettingsSet.self, SettingsReset.self],
        defaultSubcommand: SettingsList.self
    )
}

/// `echotext settings list`.
struct SettingsList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all settings.")

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let stored = try await library.settings.stored()
        let rows = SettingsCatalogue.all.map { SettingResponse($0, stored: stored) }
        if json { return try CommandOutput.json(rows) }
        try CommandOutput.table(["NAME", "VALUE", "WHAT"], rows.map { [$0.name, $0.value, $0.summary] })
    }
}

/// `echotext settings get`.
struct SettingsGet: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print a setting's value.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let setting = try SettingsCatalogue.setting(called: name)
        let stored = try await library.settings.stored()
        var value = setting.text(in: stored)
        // A dictionary that cannot be read is shown as it was written, so that its lines can be corrected.
        if setting.name == SettingsCatalogue.dictionary.name { value = stored[setting.name] ?? value }
        if json { return try CommandOutput.json([name: value]) }
        try CommandOutput.text(value)
    }
}

/// `echotext settings set`.
struct SettingsSet: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Change a setting.")

    @Argument(help: "Its name.")
    var name: String

    @Argument(help: "Its new value.")
    var value: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        guard name == SettingsCatalogue.dictionary.name else {
            return try await library.settings.set(name, to: value)
        }
        // Unlike the setting's own error, this one names the line that is wrong.
        _ = try PronunciationDictionary(parsing: value)
        DictionaryLoss.report(from: try await library.settings.replaceDictionary(by: value), to: value)
    }
}

/// `echotext settings reset`.
struct SettingsReset: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Set one setting, or all of them but the dictionary, back to the default."
    )

    @Argument(help: "Its name; all when none is given.")
    var name: String?

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        if let name {
            guard name == SettingsCatalogue.dictionary.name else {
                return try await library.settings.store(nil, for: try SettingsCatalogue.setting(called: name).name)
            }
            return DictionaryLoss.report(from: try await library.settings.replaceDictionary(by: nil), to: "")
        }
        try await confirmation.confirm("Set all settings but the dictionary back to their defaults?")
        try await library.settings.reset()
    }
}

/// The lines that a command takes out of the pronunciation dictionary: a person has written them, and nothing else has them.
private enum DictionaryLoss {
    /// The most lines that are shown.
    private static let mostShown = 100

    /// Shows the lines of `before` that `after` does not have.
    static func report(from before: String, to after: String) {
        let kept = Set(lines(of: after))
        let lost = lines(of: before).filter { !kept.contains($0) }
        guard !lost.isEmpty else { return }
        EchoTextCommand.say("note: the dictionary that was replaced had these lines, too:")
        for line in lost.prefix(mostShown) { EchoTextCommand.say("    \(line)") }
        if lost.count > mostShown { EchoTextCommand.say("    … and \(lost.count - mostShown) more") }
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0.trimmingPrefix(while: \.isWhitespace)) }
            .filter { !$0.isEmpty }
    }
}
