import API
import ArgumentParser
import EchoText

/// `echotext profiles`: named combinations of a voice and its settings.
struct ProfileCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "Keep voices with their speed and pitch under names.",
        discussion: """
            The chosen profile speaks when “echotext speak” is given no voice. The default profile is always there.

            Examples:
              echotext profiles save "Slow and low" --voice espeak/en-GB --speed 0.8 --pitch 0.9
              echotext profiles choose "Slow and low"
            """,
        subcommands: [
            ProfilesList.self, ProfilesSave.self, ProfilesRename.self, ProfilesChoose.self, ProfilesDelete.self,
        ],
        defaultSubcommand: ProfilesList.self
    )

    /// The voices, which are needed only for names: without an engine their ids and numbers are shown.
    fileprivate static func voices() async -> [Voice] { (try? await Studio.with { await $0.voices }) ?? [] }
}

extension VoiceProfiles {
    /// Finds a profile by its name, ignoring case, or by its id.
    ///
    /// - Throws: ``LibraryError/profileNotFound``.
    func profile(called name: String) async throws -> VoiceProfile {
        let wanted = name.lowercased()
        let found = try await profiles().first { $0.name.text.lowercased() == wanted || $0.id.rawValue == name }
        guard let found else { throw LibraryError.profileNotFound }
        return found
    }
}

/// `echotext profiles list`.
struct ProfilesList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the profiles.")

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let chosen = try await library.profiles.chosen()
        let voices = await ProfileCommands.voices()
        let profiles = try await library.profiles.profiles()
            .map { ProfileResponse($0, among: voices, isChosen: $0.id == chosen.profile.id) }
        if chosen.isStandIn { EchoTextCommand.say("the chosen profile cannot be used; the default is used instead") }
        let unreadable = try await library.profiles.unreadable()
        if unreadable > 0 {
            EchoTextCommand.say("notice: profiles that cannot be read and are not listed: \(unreadable)")
        }
        if json { return try CommandOutput.json(profiles) }
        try CommandOutput.table(
            ["", "NAME", "VOICE", "ID", "SPEAKER", "SPEED", "PITCH"],
            profiles.map { profile in
                [
                    profile.isChosen == true ? "*" : "", profile.name, profile.voiceName, profile.voice.rawValue,
                    [String(profile.speaker), profile.speakerName].compactMap(\.self).joined(separator: " "),
                    String(profile.speed), String(profile.pitch),
                ]
            }
        )
    }
}

/// `echotext profiles save`.
struct ProfilesSave: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Add a profile, or change the one of that name."
    )

    @Argument(help: "Its name.")
    var name: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Who speaks; as it was when absent.", valueName: "id"))
    var voice: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Which of the voice's people: a number from 0, or a name.", valueName: "n|name")
    )
    var speaker: VoiceSpeaker?

    @Option(help: ArgumentHelp("Times the voice's own pace, 0.5 to 1.5.", valueName: "factor"))
    var speed: Double?

    @Option(help: ArgumentHelp("Times the voice's own pitch, 0.5 to 2.", valueName: "factor"))
    var pitch: Double?

    @Option(help: ArgumentHelp("How much a natural voice's melody varies, 0 to 1.5.", valueName: "factor"))
    var liveliness: Double?

    @Option(help: ArgumentHelp("How much the length of its sounds varies, 0 to 1.5.", valueName: "factor"))
    var rhythm: Double?

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let known = try await library.profiles.profiles().first { $0.name.text.lowercased() == name.lowercased() }
        let isSpokenByAnother = voice != nil || speaker != nil
        let voices = try await isSpokenByAnother ? Studio.with { await $0.voices } : []
        let change = change(among: voices)
        var profile: VoiceProfile
        if let known {
            profile = try await library.profiles.change(known.id, change)
        } else {
            profile = VoiceProfile(
                name: try ItemName(name),
                voice: try await library.profiles.chosen().profile.voice
            )
            try change(&profile)
            try await library.profiles.save(profile)
        }
        if let known, known.name.text != name {
            EchoTextCommand.say("note: the profile “\(known.name)” was changed; capitals make no other name")
        }
        if json { try CommandOutput.json(ProfileResponse(profile, among: await ProfileCommands.voices())) }
    }

    /// Gives a profile the values that were named.
    private func change(among voices: [Voice]) -> @Sendable (inout VoiceProfile) throws -> Void {
        let (voice, speaker, speed, pitch) = (voice, speaker, speed, pitch)
        let (liveliness, rhythm) = (liveliness, rhythm)
        return { profile in
            try profile.change(
                voice: voice,
                speaker: speaker,
                among: voices,
                speed: speed,
                pitch: pitch,
                liveliness: liveliness,
                rhythm: rhythm
            )
        }
    }
}

/// `echotext profiles rename`.
struct ProfilesRename: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a profile another name.")

    @Argument(help: "Its name.")
    var name: String

    @Argument(help: "Its new name.")
    var newName: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let new = try ItemName(newName)
        let id = try await library.profiles.profile(called: name).id
        let profile = try await library.profiles.change(id) { $0.name = new }
        if json { try CommandOutput.json(ProfileResponse(profile, among: await ProfileCommands.voices())) }
    }
}

/// `echotext profiles choose`.
struct ProfilesChoose: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose",
        abstract: "Make a profile the one that speaks when none is named."
    )

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        try await library.profiles.choose(try await library.profiles.profile(called: name).id)
    }
}

/// `echotext profiles delete`.
struct ProfilesDelete: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a profile.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let profile = try await library.profiles.profile(called: name)
        guard profile.id != .standard else { throw LibraryError.defaultProfileStays }
        try await confirmation.confirm("Delete the profile “\(profile.name)”?")
        let isChosen = try await library.profiles.chosen().profile.id == profile.id
        try await library.profiles.delete(profile.id)
        if isChosen { EchoTextCommand.say("note: it was the chosen one; the default profile is chosen now") }
    }
}
