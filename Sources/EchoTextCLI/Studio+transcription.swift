import AudioFiles
import EchoText
import Foundation
import LibraryStore
import Outbound
import VoiceInstallation

extension Studio {
    /// Makes the transcription tools.
    ///
    /// - Parameters:
    ///   - client: Sends audio to services.
    ///   - services: Returns the services that are configured at the moment.
    /// - Returns: The tools, with no session open.
    func transcriptionTools(
        through client: OutboundClient,
        _ services: @escaping @Sendable () async throws -> [TranscriptionService]
    ) -> TranscriptionTools {
        TranscriptionTools(
            recognizer: CombinedRecognizer([recognizers, RemoteRecognizer(client: client, services: services)]),
            detector: voiceActivity,
            diarizer: diarizer,
            paces: RecognizerPaceFile(in: settings.recognizersFolder),
            conversion: { try SampleRateConversion(from: $0, to: $1) },
            digest: { try await SoundDigest.sha256(of: $0) },
            sending: { recognizer, seconds in
                guard let service = try await services().first(where: { $0.id == recognizer }) else { return nil }
                // Offline nothing can be sent, so nobody is asked.
                try await client.refuseOffline()
                return Sending(seconds: seconds, to: service)
            }
        )
    }

    var networkWatch: any NetworkWatch { RouteWatch() }
}

/// Holds the library session of a program that creates its outbound client before it opens a library.
actor LibrarySessionPlace {
    private var session: LibrarySession?

    func set(_ session: LibrarySession) { self.session = session }

    /// The library; `nil` while it is closed.
    var library: Library? {
        get async { await session?.present?.library }
    }

    /// - Throws: ``VaultError/locked`` while it is closed.
    var openLibrary: Library {
        get async throws {
            guard let library = await library else { throw VaultError.locked }
            return library
        }
    }
}
