import EchoText
import Foundation
import Outbound

extension Studio {
    /// Lends what brings voices onto this machine, and lets go of its connections afterwards.
    ///
    /// - Parameters:
    ///   - rules: What may be connected to.
    ///   - events: Told how far it has come.
    ///   - work: What is done with it.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws.
    func withVoiceDesk<Output>(
        _ rules: OutboundRules,
        events: StudioEvents = StudioEvents(),
        _ work: (VoiceDesk) async throws -> Output
    ) async throws -> Output {
        let door = OutboundDoor(environment: ProcessInfo.processInfo.environment) { rules }
        let desk = voiceDesk(through: door, events: events)
        do {
            let output = try await work(desk)
            await desk.close()
            await door.close()
            return output
        } catch {
            await desk.close()
            await door.close()
            throw error
        }
    }

    /// Absolute path of the folder of the voices.
    var shelf: String { URL(filePath: settings.voicesFolder).standardizedFileURL.path }

    /// What brings voices onto this machine through `door`.
    ///
    /// - Parameters:
    ///   - door: Opens connections.
    ///   - events: Told of everything.
    ///   - hasChanged: Told when a voice has come or gone.
    /// - Returns: A desk where nothing goes on.
    func voiceDesk(
        through door: OutboundDoor,
        events: StudioEvents,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in }
    ) -> VoiceDesk {
        VoiceDesk(
            .init(
                catalogue: OutboundCatalogue(door: door),
                archives: OutboundArchives(door: door, folder: shelf),
                installer: installer,
                memory: CatalogueFile(folder: shelf)
            ),
            events: events,
            hasChanged: hasChanged
        )
    }
}
