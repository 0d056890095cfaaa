import API
import EchoText
import Foundation
import Hummingbird

/// `/api/profiles`: voices with the way they speak, under names.
struct ProfileRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("profiles", use: list)
            .post("profiles", use: create)
            .put("profiles/chosen", use: choose)
            .put("profiles/:id", use: change)
            .delete("profiles/:id", use: delete)
    }

    struct Values: Decodable {
        let name: String
        let voice: String
        let speaker: Int?
        let speed: Double?
        let pitch: Double?
        let liveliness: Double?
        let rhythm: Double?

        /// - Throws: ``LibraryError/invalidName(_:)``, ``SynthesisError``.
        func profile(_ id: VoiceProfile.ID, among voices: [Voice]) throws -> VoiceProfile {
            let voice = try VoiceSearch(among: voices).voice(called: voice)
            return VoiceProfile(
                id: id,
                name: try ItemName(name),
                voice: voice.id,
                speaker: try voice.number(of: .number(speaker ?? 0)),
                speed: speed ?? 1,
                pitch: pitch ?? 1,
                liveliness: liveliness ?? 1,
                rhythm: rhythm ?? 1
            )
        }
    }

    struct ProfilesResponse: ResponseEncodable {
        let profiles: [ProfileResponse]
        let chosen: String
        let isStandIn: Bool
        /// How many more cannot be read.
        let unreadable: Int
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> ProfilesResponse {
        let profiles = try await studio.librarySession.use().library.profiles
        let chosen = try await profiles.chosen()
        let voices = await studio.voices
        let isThere = voices.contains { $0.id == chosen.profile.voice }
        return ProfilesResponse(
            profiles: try await profiles.profiles().map { ProfileResponse($0, among: voices) },
            chosen: chosen.profile.id.rawValue,
            // The default voice replaces a voice that is no longer installed.
            isStandIn: chosen.isStandIn || !isThere,
            unreadable: try await profiles.unreadable()
        )
    }

    func create(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<ProfileResponse> {
        let body = try await request.decode(as: Values.self, context: context)
        let profile = try body.profile(VoiceProfile.ID(), among: await studio.voices)
        try await studio.librarySession.use().library.profiles.save(profile)
        await studio.events.post(.profiles)
        return EditedResponse(status: .created, response: ProfileResponse(profile, among: await studio.voices))
    }

    /// The values of a profile that change; another page may have changed the rest since.
    struct Changes: Decodable {
        let name: String?
        let voice: String?
        let speaker: Int?
        let speed: Double?
        let pitch: Double?
        let liveliness: Double?
        let rhythm: Double?

        /// - Throws: ``LibraryError/invalidName(_:)``, ``SynthesisError``.
        func apply(to profile: inout VoiceProfile, among voices: [Voice]) throws {
            if let name { profile.name = try ItemName(name) }
            try profile.change(
                voice: voice,
                speaker: speaker.map(VoiceSpeaker.number),
                among: voices,
                speed: speed,
                pitch: pitch,
                liveliness: liveliness,
                rhythm: rhythm
            )
        }
    }

    func change(_ request: Request, _ context: WebRequestContext) async throws -> ProfileResponse {
        let id = VoiceProfile.ID(rawValue: try context.parameters.require("id"))
        let body = try await request.decode(as: Changes.self, context: context)
        let voices = await studio.voices
        let profiles = try await studio.librarySession.use().library.profiles
        let changed = try await profiles.change(id) { try body.apply(to: &$0, among: voices) }
        await studio.events.post(.profiles)
        return ProfileResponse(changed, among: voices)
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = VoiceProfile.ID(rawValue: try context.parameters.require("id"))
        try await studio.librarySession.use().library.profiles.delete(id)
        await studio.events.post(.profiles)
        return .noContent
    }

    struct Choice: Decodable {
        let id: String
    }

    func choose(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let body = try await request.decode(as: Choice.self, context: context)
        try await studio.librarySession.use().library.profiles.choose(VoiceProfile.ID(rawValue: body.id))
        await studio.events.post(.profiles)
        return .noContent
    }
}
