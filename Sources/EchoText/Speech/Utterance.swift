/// One thing to say, in one voice: usually a sentence, or a part of a long one.
package struct Utterance: Sendable, Hashable {
    package let text: SpokenText
    package let voice: Voice.ID
    /// Which of the voice's people says it, from 0.
    package let speaker: Int
    package let prosody: Prosody

    package init(text: SpokenText, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.text = text
        self.voice = voice
        self.speaker = speaker
        self.prosody = prosody
    }

    package init(_ text: String, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.init(text: SpokenText(written: text), voice: voice, speaker: speaker, prosody: prosody)
    }
}
