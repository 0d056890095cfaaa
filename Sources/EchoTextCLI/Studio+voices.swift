import EchoText
import Foundation
import Outbound

extension Settings {
    /// Connections that were made while no library was open.
    var outboundNotes: OutboundNoteFile { OutboundNoteFile(path: outboundFile) }

    /// A client that records its connections aside; the library takes them over when it is opened the next time.
    ///
    /// - Parameter rules: The connections that are allowed.
    /// - Returns: A client without a connection.
    func outboundClient(_ rules: @escaping @Sendable () async throws -> OutboundRules) -> OutboundClient {
        OutboundClient(environment: ProcessInfo.processInfo.environment, ledger: outboundNotes, rules: rules)
    }
}

extension Studio {
    /// Passes the voice downloads to `work`, and closes their connections afterwards.
    ///
    /// - Parameters:
    ///   - rules: The connections that are allowed.
    ///   - events: Receives progress.
    ///   - work: Uses the downloads.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws.
    func withVoiceDownloads<Output>(
        _ rules: OutboundRules,
        events: StudioEvents = StudioEvents(),
        _ work: (VoiceDownloads) async throws -> Output
    ) async throws -> Output {
        let client = settings.outboundClient { rules }
        let downloads = voiceDownloads(through: client, events: events)
        do {
            let output = try await work(downloads)
            await downloads.close()
            await client.close()
            return output
        } catch {
            await downloads.close()
            await client.close()
            throw error
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
