/// How fast, how high and how lively a text is spoken.
package struct Prosody: Sendable, Hashable, Codable {
    /// Times the voice's own pace; 1 is unchanged.
    package static let speedRange = 0.5...1.5
    /// Times the voice's own frequency; 1 is unchanged, 2 an octave higher.
    package static let pitchRange = 0.5...2.0

    /// The allowed scale of the voice's random variation of its sound or phoneme lengths; 1 is unchanged, 0 is
    /// deterministic, and voices become garbled beyond 1.5.
    package static let chanceRange = 0.0...1.5

    package let speed: Double
    package let pitch: Double
    /// How much the voice's intonation and timbre vary; without effect on deterministic voices.
    package let liveliness: Double
    /// How much the length of its sounds varies; likewise.
    package let rhythm: Double

    /// The voice as it is.
    package static let natural = Prosody(unchecked: 1, pitch: 1, liveliness: 1, rhythm: 1)

    /// - Throws: ``SynthesisError/speedOutOfRange(_:)``, ``SynthesisError/pitchOutOfRange(_:)`` or
    ///   ``SynthesisError/chanceOutOfRange(_:)``, also for a value that is not a number.
    package init(
        speed: Double = 1,
        pitch: Double = 1,
        liveliness: Double = 1,
        rhythm: Double = 1
    ) throws(SynthesisError) {
        guard Self.speedRange.contains(speed) else { throw .speedOutOfRange(speed) }
        guard Self.pitchRange.contains(pitch) else { throw .pitchOutOfRange(pitch) }
        for chance in [liveliness, rhythm] where !Self.chanceRange.contains(chance) { throw .chanceOutOfRange(chance) }
        self.init(unchecked: speed, pitch: pitch, liveliness: liveliness, rhythm: rhythm)
    }

    private init(unchecked speed: Double, pitch: Double, liveliness: Double, rhythm: Double) {
        self.speed = speed
        self.pitch = pitch
        self.liveliness = liveliness
        self.rhythm = rhythm
    }

    /// Returns a copy with another pitch.
    package func pitched(_ pitch: Double) throws(SynthesisError) -> Prosody {
        try Prosody(speed: speed, pitch: pitch, liveliness: liveliness, rhythm: rhythm)
    }

    /// Returns a copy with another speed.
    package func sped(_ speed: Double) throws(SynthesisError) -> Prosody {
        try Prosody(speed: speed, pitch: pitch, liveliness: liveliness, rhythm: rhythm)
    }

    /// The speed of a practice rate: 0.1 is the slowest, 0.5 the voice's own pace, 1 the fastest.
    ///
    /// The scale runs straight over ``speedRange``, so 0.1 steps are equal on either side of 0.5 and no rate leaves it.
    ///
    /// - Parameters:
    ///   - rate: 0.1 to 1.
    ///   - pitch: ``pitchRange``.
    /// - Throws: ``SynthesisError/rateOutOfRange(_:)``.
    package init(practiceRate rate: Double, pitch: Double = 1) throws(SynthesisError) {
        guard (0.1...1.0).contains(rate) else { throw .rateOutOfRange(rate) }
        let natural = 0.5
        let speed =
            rate < natural
            ? 1 - (natural - rate) / (natural - 0.1) * (1 - Self.speedRange.lowerBound)
            : 1 + (rate - natural) / (1 - natural) * (Self.speedRange.upperBound - 1)
        try self.init(
            speed: min(max(speed, Self.speedRange.lowerBound), Self.speedRange.upperBound),
            pitch: pitch
        )
    }
}
