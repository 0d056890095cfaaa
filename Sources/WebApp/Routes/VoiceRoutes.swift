import API
import EchoText
import Foundation
import Hummingbird

/// `/api/voices`: the voices that an engine can speak with, and samples of them.
struct VoiceRoutes: Sendable {
    let studio: WebStudio

    /// Samples are synthesized independently of narrations, one at a time.
    private let turns = PrioritySemaphore(permits: 1)

    init(studio: WebStudio) {
        self.studio = studio
    }

    /// The longest sample that is spoken, in characters.
    private static let sampleLimit = 200

    func add(to group: RouterGroup<StudioContext>) {
        group.get("voices", use: list).get("voices/sample", use: sample)
    }

    struct VoiceResponse: ResponseEncodable {
        let id: String
        let name: String
        let language: String
        let engine: String
        let speakers: Int
        @Nullable var speakerNames: [String]?
        let sampleRate: Int
        @Nullable var quality: String?
        @Nullable var variant: String?
        let isFavorite: Bool

        init(_ voice: Voice, isFavorite: Bool) {
            self.isFavorite = isFavorite
            (id, name, language) = (voice.id.rawValue, voice.name, voice.language)
            (engine, sampleRate) = (voice.engine.rawValue, voice.sampleRate)
            (speakers, speakerNames) = (voice.speakers, voice.speakerNames)
            let name = NeuralVoiceName(of: voice.id)
            (quality, variant) = (name?.quality?.rawValue, name?.variant?.rawValue)
        }
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> [VoiceResponse] {
        let library = try await studio.librarySession.enter().library
        return VoiceListing.ranked(try await studio.listings(for: library)).compactMap { listing in
            listing.voice.map { VoiceResponse($0, isFavorite: listing.isFavorite) }
        }
    }

    func sample(_ request: Request, _ context: StudioContext) async throws -> Response {
        let library = try await studio.librarySession.enter().library
        var sample = NarrationRequest()
        sample.voice = request.text("voice")
        sample.speaker = try request.integer("speaker", in: 0...Int(Int32.max)).map(VoiceSpeaker.number)
        (sample.speed, sample.pitch) = (try request.number("speed"), try request.number("pitch"))
        (sample.liveliness, sample.rhythm) = (try request.number("liveliness"), try request.number("rhythm"))
        let given = request.text("text")
        guard (given?.count ?? 0) <= Self.sampleLimit else { throw WebError.tooLong(limit: Self.sampleLimit) }
        sample.name = "Sample"
        let order = try await sample.resolve(in: library, among: await studio.voices, naming: "").order
        let text = given ?? SampleSentence.sentence(in: order.voice.language)
        let narration = try studio.narrator.narration(of: StringSource(text), as: order, lanes: 1)
        let samples: [Int16]
        do {
            samples = try await turns.pass { _ in
                try await narration.reduce(into: []) { samples, passage in
                    samples += passage.clip.pcm16
                    // A taste of a voice, not of its silence.
                    samples += repeatElement(0, count: min(passage.silence, passage.clip.sampleRate))
                }
            }
        } catch {
            await library.voices.note(error, of: order.voice.id)
            throw error
        }
        let file = ByteBuffer(bytes: WAVHeader.file(of: samples, sampleRate: order.voice.sampleRate))
        return Response(status: .ok, headers: [.contentType: "audio/wav"], body: .init(byteBuffer: file))
    }
}
