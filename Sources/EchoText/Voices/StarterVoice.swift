/// The natural voice that set-up brings, which speaks English as long as nobody has chosen another.
package enum StarterVoice {
    package static let id = Voice.ID(rawValue: "piper/en_US-joe-medium")

    /// The default voice: the natural voice where it is completely installed, else the built-in one.
    ///
    /// - Parameter voices: Those that can speak.
    /// - Returns: The id of one of them.
    package static func standard(among voices: some Sequence<Voice.ID>) -> Voice.ID {
        voices.contains(id) ? id : VoiceProfile.standard.voice
    }
}
