package import EchoText

/// A voice with the way it speaks, under a name.
package struct ProfileResponse: Encodable, Sendable {
    /// `default` always exists.
    package let id: VoiceProfile.ID
    package let name: String
    package let voice: Voice.ID
    /// The voice's name, also when the voice is not installed any more.
    package let voiceName: String
    package let speaker: Int
    /// Left out where the voice's speakers have no names, or the voice is not installed any more.
    package let speakerName: String?
    /// As a factor of normal.
    package let speed: Double
    /// As a factor of normal.
    package let pitch: Double
    /// How much a natural voice varies, as a factor of normal.
    package let liveliness: Double
    /// How much the length of its sounds varies, as a factor of normal.
    package let rhythm: Double
    /// In a command's list: whether it speaks when no voice is named.
    package let isChosen: Bool?

    /// - Parameters:
    ///   - profile: The profile.
    ///   - voices: The voices that can speak now.
    ///   - isChosen: In a command's list: whether it speaks when no voice is named.
    package init(_ profile: VoiceProfile, among voices: [Voice], isChosen: Bool? = nil) {
        (id, name, voice) = (profile.id, profile.name.text, profile.voice)
        let known = voices.first { $0.id == profile.voice }
        voiceName = known?.name ?? Voice.name(of: profile.voice, given: profile.voice.rawValue)
        speakerName = known?.speakerName(profile.speaker)
        (speaker, speed, pitch) = (profile.speaker, profile.speed, profile.pitch)
        (liveliness, rhythm) = (profile.liveliness, profile.rhythm)
        self.isChosen = isChosen
    }
}
