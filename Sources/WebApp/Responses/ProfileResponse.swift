import EchoText
import Hummingbird

struct ProfileResponse: ResponseEncodable {
    let id: String
    let name: String
    let voice: String
    /// The voice's name, also when the voice is not installed any more.
    let voiceName: String
    let speaker: Int
    let speed: Double
    let pitch: Double
    let liveliness: Double
    let rhythm: Double

    /// - Parameters:
    ///   - profile: The profile.
    ///   - voices: The voices that can speak now.
    init(_ profile: VoiceProfile, among voices: [Voice]) {
        (id, name, voice) = (profile.id.rawValue, profile.name.text, profile.voice.rawValue)
        let known = voices.first { $0.id == profile.voice }
        voiceName = known?.name ?? Voice.name(of: profile.voice, given: profile.voice.rawValue)
        (speaker, speed, pitch) = (profile.speaker, profile.speed, profile.pitch)
        (liveliness, rhythm) = (profile.liveliness, profile.rhythm)
    }
}

struct ProfilesResponse: ResponseEncodable {
    let profiles: [ProfileResponse]
    let chosen: String
    let isStandIn: Bool
}
