import EchoText
import Foundation
import Outbound

extension Settings {
    /// The log of connections made while no library was open.
    var outboundNotes: OutboundNoteFile { OutboundNoteFile(path: outboundFile) }

    /// Makes a client that logs its connections in a file of its own; the library takes them over the next time it is
    /// opened.
    ///
    /// - Parameter rules: Returns the rules for connections.
    /// - Returns: A client without open connections.
    func outboundClient(_ rules: @escaping @Sendable () async throws -> OutboundRules) -> OutboundClient {
        OutboundClient(environment: ProcessInfo.processInfo.environment, ledger: outboundNotes, rules: rules)
    }
}

extension Studio {
    /// Passes the voice downloads to `work`, and closes their connections afterwards.
    ///
    /// - Parameters:
    ///   - rules: The rules for connections, which are closed afterwards, too.
    ///   - events: Receives progress.
    ///   - work: The work that uses the downloads.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws.
    func withVoiceDownloads<Output>(
        _ rules: FollowedRules,
        events: StudioEvents = StudioEvents(),
        _ work: (VoiceDownloads) async throws -> Output
    ) async throws -> Output {
        let client = settings.outboundClient { try await rules.rules() }
        let downloads = voiceDownloads(through: client, events: events)
        return try await rules.closing {
            try await client.closing {
                try await downloads.closing { try await work(downloads) }
            }
        }
    }

    /// Absolute path of the folder of the voices.
    var voicesFolder: String { URL(filePath: settings.voicesFolder).standardizedFileURL.path }

    /// Makes the voice downloads that connect through `client`.
    ///
    /// - Parameters:
    ///   - client: Opens connections.
    ///   - events: Receives progress and changes.
    ///   - hasChanged: Called when a voice was installed or removed.
    /// - Returns: Voice downloads, none of them running.
    func voiceDownloads(
        through client: OutboundClient,
        events: StudioEvents,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in }
    ) -> VoiceDownloads {
        VoiceDownloads(
            .init(
                catalogue: OutboundCatalogue(client: client),
                archives: OutboundArchives(client: client, folder: voicesFolder),
                installer: installer,
                memory: CatalogueFile(folder: voicesFolder),
                recognizers: recognizerInstaller
            ),
            events: events,
            hasChanged: hasChanged
        )
    }
}
