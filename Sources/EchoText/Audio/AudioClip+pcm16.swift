extension AudioClip {
    /// The samples as sound files hold them: full scale is ±32,767, values beyond are clipped, and what is not a number is
    /// silence.
    package var pcm16: [Int16] { samples.map(\.pcm16) }
}

extension Float {
    /// The nearest value that a sound file can hold; what is not a number is silence.
    package var clipped: Float { isNaN ? 0 : Swift.min(1, Swift.max(-1, self)) }

    /// Full scale is ±32,767, as in libsndfile.
    package var pcm16: Int16 { Int16((clipped * 32_767).rounded(.toNearestOrEven)) }
}
