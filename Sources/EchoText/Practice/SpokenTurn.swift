/// A person's turn to repeat a segment: whether they have spoken and fallen silent.
///
/// It has no clock and no detector: the windows of the turn's sound go to ``add(_:)``.
package struct SpokenTurn: Sendable, Hashable {
    /// The least speech and the silence that ends a turn, in windows: 0.3 s and 0.9 s.
    private static let (shortestVoice, longestSilence) = (10, 28)

    /// Windows with speech, and windows without speech since the last of them.
    private var voice = 0
    private var silence = 0

    package init() {}

    /// Whether they have spoken long enough; a click or a cough is forgotten in the silence after it.
    package var hasSpoken: Bool { voice >= Self.shortestVoice }

    /// Whether they have spoken and fallen silent; speech that follows takes it back.
    package var isOver: Bool { hasSpoken && silence >= Self.longestSilence }

    /// Takes the next windows of the turn's sound.
    package mutating func add(_ windows: [VoiceWindow]) {
        for window in windows {
            if window.isSpeech { voice += 1 }
            silence = window.isSpeech ? 0 : silence + 1
            if !hasSpoken, silence >= Self.longestSilence { voice = 0 }
        }
    }
}
