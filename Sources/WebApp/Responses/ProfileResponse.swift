import EchoText
import Hummingbird

struct ProfileResponse: ResponseEncodable {
    let id: String
    let name: String
    let voice: String
    let speaker: Int
    let speed: Double
    let pitch: Double
    let liveliness: Double
    let rhythm: Double

    init(_ profile: VoiceProfile) {
        (id, name, voice) = (profile.id.rawValue, profile.name.text, profile.voice.rawValue)
        (speaker, speed, pitch) = (profile.speaker, profile.speed, profile.pitch)
        (liveliness, rhythm) = (profile.liveliness, profile.rhythm)
    }
}

struct ProfilesResponse: ResponseEncodable {
    let profiles: [ProfileResponse]
    let chosen: String
    let isStandIn: Bool
}
