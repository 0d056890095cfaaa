/// How a latent is cut into windows that are decoded apart and sound as if they had not been.
struct DecoderWindows {
    /// A window: its own frames, and what of the latent is decoded for them.
    struct Window: Sendable, Hashable {
        /// The frames that it gives the sound of.
        let frames: Range<Int>
        /// Those that are decoded: a halo more on both sides, as far as there are any.
        let decoded: Range<Int>
        /// For each stage what is kept of its tensor, in samples from the first that is there.
        let cuts: [Range<Int>]
        /// What of the sound that comes out is that of ``frames``, in samples.
        let sound: Range<Int>
    }

    /// Frames of the first window, which is waited for: three quarters of a second in a voice of 22,050 Hz.
    static let first = 64
    /// Frames of the others.
    ///
    /// A decoder's tensors then stay in the processor's cache: with 128 frames a sentence takes 1 % less time than whole, with 64 it takes 3 %
    /// more (measured with a medium voice of 500 frames, ONNX Runtime 1.31.1, one thread).
    static let others = 128

    /// - Parameters:
    ///   - frames: How many there are.
    ///   - shape: Of the decoder.
    /// - Returns: Windows that follow one another and cover all frames, the same for the same number.
    static func windows(of frames: Int, in shape: DecoderShape) -> [Window] {
        // A short sentence is cut evenly, so that it keeps two lanes or four busy to its end.
        let isShort = frames <= 4 * first
        let even = max(first / 2, (frames + 3) / 4)
        var windows: [Window] = []
        var start = 0
        while start < frames {
            var end = min(frames, start + (isShort ? even : start == 0 ? first : others))
            // A last one of a few frames would be nearly all halo.
            if frames - end < first / 4 { end = frames }
            windows.append(window(start..<end, of: frames, in: shape))
            start = end
        }
        return windows
    }

    private static func window(_ own: Range<Int>, of frames: Int, in shape: DecoderShape) -> Window {
        let decoded = max(0, own.lowerBound - shape.halo)..<min(frames, own.upperBound + shape.halo)
        // Where what is there begins, in samples to a frame of the stage before.
        var (start, rate) = (decoded.lowerBound, 1)
        var cuts: [Range<Int>] = []
        for stage in shape.stages {
            let wanted =
                max(
                    0,
                    own.lowerBound * stage.rate - stage.halo
                )..<min(frames * stage.rate, own.upperBound * stage.rate + stage.halo)
            let origin = start * (stage.rate / rate)
            cuts.append(wanted.lowerBound - origin..<wanted.upperBound - origin)
            (start, rate) = (wanted.lowerBound, stage.rate)
        }
        let origin = start * (shape.hop / rate)
        let sound = own.lowerBound * shape.hop - origin..<own.upperBound * shape.hop - origin
        return Window(frames: own, decoded: decoded, cuts: cuts, sound: sound)
    }
}
