import EchoText
import Foundation
import Hummingbird

/// The body of `POST /v1/audio/speech`.
struct SpeechRequestBody: Sendable, Decodable {
    let input: String
    let model: String?
    let voice: String?
    let speed: Double?
    private let formatName: String?
    private let streamFormat: String?

    private enum CodingKeys: String, CodingKey {
        case input, model, voice, speed
        case formatName = "response_format"
        case streamFormat = "stream_format"
    }

    /// A voice may be an object with its id.
    private struct NamedVoice: Decodable {
        let id: String
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        input = try fields.decode(String.self, forKey: .input)
        model = try fields.decodeIfPresent(String.self, forKey: .model)
        let named = try? fields.decodeIfPresent(NamedVoice.self, forKey: .voice)
        voice = if let named { named.id } else { try fields.decodeIfPresent(String.self, forKey: .voice) }
        speed = try fields.decodeIfPresent(Double.self, forKey: .speed)
        formatName = try fields.decodeIfPresent(String.self, forKey: .formatName)
        streamFormat = try fields.decodeIfPresent(String.self, forKey: .streamFormat)
    }

    /// Reads a request's body.
    ///
    /// - Throws: ``ProgramError/notJSON``, ``ProgramError/badField(_:what:)``, and what reading throws.
    init(of request: Request, _ context: WebRequestContext) async throws {
        do {
            self = try await context.requestDecoder.decode(Self.self, from: request, context: context)
        } catch DecodingError.keyNotFound(let key, _) {
            throw ProgramError.badField(key.stringValue, what: "is missing")
        } catch DecodingError.typeMismatch(_, let place), DecodingError.valueNotFound(_, let place) {
            guard let field = place.codingPath.first?.stringValue else { throw ProgramError.notJSON }
            throw ProgramError.badField(field, what: "is of the wrong kind")
        } catch is DecodingError {
            throw ProgramError.notJSON
        }
    }

    /// - Throws: ``ProgramError/badField(_:what:)``.
    var format: SpeechFormat {
        get throws {
            guard let formatName else { return .file(.mp3) }
            guard let format = SpeechFormat.names.first(where: { $0.key == formatName })?.value else {
                let names = SpeechFormat.names.map(\.key).joined(separator: ", ")
                throw ProgramError.badField(CodingKeys.formatName.rawValue, what: "is one of \(names)")
            }
            return format
        }
    }

    /// Refuses what does not depend on voices.
    ///
    /// - Throws: ``ProgramError``, ``ProgramFieldFailure``.
    func check() throws {
        let limit = ProgramSpeechRoute.longestInput
        guard input.utf16.count <= limit else { throw ProgramError.inputTooLong(limit: limit) }
        guard input.contains(where: { !$0.isWhitespace }) else { throw failure(.nothingToSay) }
        if let streamFormat, streamFormat != "audio" {
            throw ProgramError.badField(
                CodingKeys.streamFormat.rawValue,
                what: "is “audio”: speech is sent as sound while it is made, not as events"
            )
        }
        if let speed, !Prosody.speedRange.contains(speed) { throw failure(.speedOutOfRange(speed)) }
    }

    /// The failure of a synthesis, with the field that causes it where one does.
    func failure(_ error: SynthesisError) -> any Error {
        switch error {
        case .speedOutOfRange: ProgramFieldFailure(field: CodingKeys.speed.rawValue, failure: error.failure)
        case .voiceNotInstalled, .noSuchSpeaker:
            ProgramFieldFailure(field: CodingKeys.voice.rawValue, failure: error.failure)
        case .nothingToSay: ProgramFieldFailure(field: CodingKeys.input.rawValue, failure: error.failure)
        default: error
        }
    }

    // MARK: - Who speaks

    /// The names of OpenAI's voices, which programs send without asking; each is the usual voice, unless a profile is
    /// called so.
    private static let usualVoices: Set = [
        "", "default", "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage",
        "shimmer", "verse",
    ]

    /// The only engine that may speak; `nil` for any.
    ///
    /// - Throws: ``ProgramError/noSuchModel(_:)``.
    private var engine: Voice.Engine? {
        get throws {
            guard let model, !model.isEmpty else { return nil }
            if let engine = Voice.Engine(rawValue: model) { return engine }
            // “tts-1”, “tts-1-hd”, “gpt-4o-mini-tts” and dated ones.
            guard model.split(separator: "-").contains("tts") else { throw ProgramError.noSuchModel(model) }
            return nil
        }
    }

    /// Chooses the voice or the profile that the request names: an id, a profile's name, a voice's name or a language.
    ///
    /// - Throws: ``ProgramError``, ``VaultError``.
    func choose(for request: inout NarrationRequest, among voices: [Voice], _ profiles: any VoiceProfiles) async throws
    {
        let engine = try engine
        guard let name = voice?.trimmingCharacters(in: .whitespacesAndNewlines) else {
            return try await chooseUsual(for: &request, of: engine, among: voices, profiles)
        }
        if voices.contains(where: { $0.id.rawValue == name }) {
            request.voice = name
        } else if let profile = try await profiles.profiles().first(where: {
            $0.name.text.lowercased() == name.lowercased() || $0.id.rawValue == name
        }) {
            request.profile = profile.id
        } else if let voice = voices.first(where: { $0.name.lowercased() == name.lowercased() }) {
            request.voice = voice.id.rawValue
        } else if Self.usualVoices.contains(name.lowercased()) {
            try await chooseUsual(for: &request, of: engine, among: voices, profiles)
        } else {
            request.voice = name
        }
    }

    /// Leaves the choice to the chosen profile, unless an engine is asked for that its voice is not of.
    private func chooseUsual(
        for request: inout NarrationRequest,
        of engine: Voice.Engine?,
        among voices: [Voice],
        _ profiles: any VoiceProfiles
    ) async throws {
        guard let engine else { return }
        let chosen = try await profiles.chosen().profile.voice
        guard let usual = try? VoiceSearch(among: voices).voice(called: chosen.rawValue), usual.engine != engine else {
            return
        }
        let others = voices.filter { $0.engine == engine }
        request.voice = (others.first { $0.speaks(usual.language) } ?? others.first)?.id.rawValue
    }

    /// - Returns: The order.
    /// - Throws: ``ProgramError/otherEngine(voice:model:)`` if it is of another engine than the request wants.
    func checked(_ order: NarrationOrder) throws -> NarrationOrder {
        guard let engine = try engine, order.voice.engine != engine else { return order }
        throw ProgramError.otherEngine(voice: order.voice.id.rawValue, model: engine.rawValue)
    }
}
