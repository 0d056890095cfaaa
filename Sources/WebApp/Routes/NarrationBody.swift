import EchoText

/// The voice settings in a request's body; missing values come from a profile.
struct NarrationBody: Decodable {
    let voice: String?
    let speaker: Int?
    let speed: Double?
    let pitch: Double?
    let liveliness: Double?
    let rhythm: Double?
    let profile: String?
    let name: String?
    /// Whether the captions of subtitles begin at their own times.
    let keepTimes: Bool?

    var narration: NarrationRequest {
        var narration = NarrationRequest()
        (narration.voice, narration.speaker, narration.speed, narration.pitch, narration.name) = (
            voice, speaker.map(VoiceSpeaker.number), speed, pitch, name
        )
        (narration.liveliness, narration.rhythm) = (liveliness, rhythm)
        narration.keepsTimes = keepTimes ?? false
        narration.profile = profile.map { VoiceProfile.ID(rawValue: $0) }
        return narration
    }
}
