/// The natural voice that set-up installs, which is the English default until another is selected.
package enum StarterVoice {
    package static let id = Voice.ID(rawValue: "piper/en_US-joe-medium")

    /// The default voice: the natural voice if it is completely installed, else the built-in one.
    ///
    /// - Parameter voices: The usable voices.
    /// - Returns: The id of a voice.
    package static func standard(among voices: some Sequence<Voice.ID>) -> Voice.ID {
        voices.contains(id) ? id : VoiceProfile.standard.voice
    }
}
