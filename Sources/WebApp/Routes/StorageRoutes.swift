import API
import EchoText
import Hummingbird

/// `/api/storage`: where things are on this machine and how large they are, the cache of speech, and the files that
/// recordings were imported from.
struct StorageRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("storage", use: show)
            .delete("storage/speech", use: clear)
            .delete("storage/files", use: deleteFiles)
    }

    struct StorageResponse: ResponseEncodable {
        /// The folder of the library; absent for a library in memory.
        @Nullable var library: String?
        /// The folder of the voices.
        let voices: String
        /// The folder of the recognizers.
        let recognizers: String
        /// Bytes of sound in the cache of speech.
        let speechBytes: Int
        let libraryBytes: LibraryBytesResponse
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> StorageResponse {
        let library = try await studio.librarySession.use().library
        return StorageResponse(
            library: try await studio.librarySession.status().folder,
            voices: studio.voiceServices.folder,
            recognizers: studio.recognizersFolder,
            speechBytes: try await library.speech.size(),
            libraryBytes: LibraryBytesResponse(try await library.measure.size())
        )
    }

    func clear(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.use().library.speech.clear()
        return .noContent
    }

    /// Deletes the files that recordings were imported from; the recordings stay.
    func deleteFiles(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let changed = try await studio.librarySession.use().library.audio.deleteAllFiles()
        if !changed.isEmpty { await studio.events.post(.library(changed: changed)) }
        return .noContent
    }
}
