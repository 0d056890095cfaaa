import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// Operations on installed voices: `/api/voices/chosen`, `favorites`, `installed`, `retry` and `uploads`.
struct InstalledVoiceRoutes: Sendable {
    let studio: WebStudio
    /// Allows one upload at a time.
    private let turns = PrioritySemaphore(permits: 1)

    init(studio: WebStudio) {
        self.studio = studio
    }

    /// Most bytes of a file that is handed in.
    private static let largest: Int64 = 1_000_000_000

    func add(to group: RouterGroup<StudioContext>) {
        group.put("voices/chosen", use: choose)
            .put("voices/favorites", use: mark)
            .delete("voices/installed/:name", use: remove)
            .post("voices/retry", use: retry)
            .post("voices/uploads", use: upload)
    }

    struct Choice: Decodable {
        let voice: String
        let speaker: Int?
    }

    func choose(_ request: Request, _ context: StudioContext) async throws -> ProfileResponse {
        let choice = try await request.decode(as: Choice.self, context: context)
        let library = try await studio.librarySession.enter().library
        let voice = try VoiceSearch(among: await studio.voices).voice(called: choice.voice)
        let speaker = try voice.number(of: .number(choice.speaker ?? 0))
        let profile = try await library.profiles.select(voice.id, speaker: speaker)
        await studio.events.post(.profiles)
        await studio.events.post(.voices)
        return ProfileResponse(profile, among: [voice])
    }

    struct Mark: Decodable {
        let voice: Voice.ID
        let isFavorite: Bool
    }

    func mark(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let mark = try await request.decode(as: Mark.self, context: context)
        let library = try await studio.librarySession.enter().library
        guard try await studio.listings(for: library).contains(where: { $0.id == mark.voice }) else {
            throw VoiceDownloadError.unknownEntry(String(mark.voice.rawValue.prefix(100)), similar: [])
        }
        try await library.voices.update(mark.voice) { $0.isFavorite = mark.isFavorite }
        await studio.events.post(.voices)
        return .noContent
    }

    func remove(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        _ = try await studio.librarySession.enter()
        let name = try context.parameters.require("name")
        try await studio.voiceServices.downloads.remove(
            Voice.ID(rawValue: "piper/" + (name.removingPercentEncoding ?? name))
        )
        return .noContent
    }

    struct Forgiven: Decodable {
        let voice: Voice.ID
    }

    /// Lets a quarantined voice speak again.
    func retry(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let id = try await request.decode(as: Forgiven.self, context: context).voice
        let library = try await studio.librarySession.enter().library
        await studio.voiceServices.forgive(id)
        _ = try await library.voices.forgive(id)
        await studio.events.post(.voices)
        return .noContent
    }

    /// Installs a voice from an archive, whose bytes are the body.
    func upload(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<VoiceListingResponse> {
        let library = try await studio.librarySession.enter().library
        let name = request.text("name")?.split(separator: "/").last.map(String.init) ?? ""
        guard name.lowercased().hasSuffix(".tar.bz2") else { throw VoiceInstallError.notAnArchive }
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > Self.largest {
            throw VoiceDownloadError.tooLarge(limit: Self.largest)
        }
        let voice = try await turns.pass { _ in
            try await studio.voiceServices.inbox.hold(
                named: name,
                filledBy: { take in try await Self.copy(request.body, to: take) },
                { try await studio.voiceServices.downloads.add($0, named: name) }
            )
        }
        guard let listing = try await studio.listings(for: library).first(where: { $0.id == voice.voice.id }) else {
            throw VoiceInstallError.notInstalled(voice.voice.id)
        }
        return EditedResponse(status: .created, response: VoiceListingResponse(listing))
    }

    private static func copy(_ body: RequestBody, to take: ([UInt8]) async throws -> Void) async throws {
        var bytes: Int64 = 0
        for try await buffer in body {
            bytes += Int64(buffer.readableBytes)
            guard bytes <= largest else { throw VoiceDownloadError.tooLarge(limit: largest) }
            try await take(Array(buffer.readableBytesView))
        }
    }
}
