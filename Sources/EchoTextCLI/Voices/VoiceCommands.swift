import ArgumentParser
import EchoText

/// `echotext voices`: the installed voices and those that can be downloaded.
struct VoiceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voices",
        abstract: "List, add and remove the voices that can speak.",
        discussion: """
            Give an ID to “echotext speak --voice”. espeak-ng's voices also come in variants: add +f1 to +f5, +m1 to +m8 \
            or another name from “espeak-ng --voices=variant”, as in “espeak/en-US+f3”.

            Examples:
              echotext voices --language et
              echotext voices available --language lv
              echotext voices download en_US-lessac-medium
              echotext voices add ~/Downloads/vits-piper-en_US-lessac-medium.tar.bz2
              echotext voices try piper/en_US-lessac-medium
              echotext voices select piper/en_US-lessac-medium
            """,
        subcommands: [
            VoicesList.self, VoicesAvailable.self, VoicesDownload.self, VoicesAdd.self, VoicesRemove.self,
            VoicesSelect.self, VoicesFavorite.self, VoicesShow.self, VoicesTry.self, VoicesRetry.self,
        ],
        defaultSubcommand: VoicesList.self
    )
}

extension VoiceSpeaker: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Studio {
    /// Finds the voice called `name`.
    ///
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``, or the fault of the voice with that id.
    func voice(called name: String) async throws -> Voice {
        do {
            return try VoiceSearch(among: await voices).voice(called: name)
        } catch {
            if let fault = await fault(called: name) { throw fault.error }
            throw error
        }
    }

    /// Why an installed voice cannot speak; `nil` when it can, or is not installed.
    func reason(for name: Voice.ID) async -> (any UserFacingError)? { await fault(called: name.rawValue)?.error }

    /// Finds the id of an installed voice, even one that cannot speak.
    ///
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``.
    func installedID(called name: String) async throws -> Voice.ID {
        if let fault = await fault(called: name) { return fault.id }
        return try VoiceSearch(among: await voices).voice(called: name).id
    }

    private func fault(called name: String) async -> VoiceFault? {
        await faults.first { $0.id.rawValue == name || $0.id.rawValue == "piper/\(name)" }
    }
}
