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
        try await library.settings.set(name, to: value)
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
            return try await library.settings.store(nil, for: try SettingsCatalogue.setting(called: name).name)
        }
        try await confirmation.confirm("Set all settings but the dictionary back to their defaults?")
        try await library.settings.reset()
    }
}
