import EchoText

/// Voice, speed and the like of an order; what is absent comes from a profile.
struct VoiceWish: Decodable {
    let voice: String?
    let speaker: Int?
    let speed: Double?
    let pitch: Double?
    let liveliness: Double?
    let rhythm: Double?
    let profile: String?
    let name: String?

    var wish: NarrationWish {
        var wish = NarrationWish()
        (wish.voice, wish.speaker, wish.speed, wish.pitch, wish.name) = (voice, speaker, speed, pitch, name)
        (wish.liveliness, wish.rhythm) = (liveliness, rhythm)
        wish.profile = profile.map { VoiceProfile.ID(rawValue: $0) }
        return wish
    }
}
