/// Cuts a latent into windows that are decoded separately and give the same sound as one pass.
struct DecoderWindows {
    /// A window: its own frames, and the frames that are decoded for them.
    struct Window: Sendable, Hashable {
        /// The frames whose sound it gives.
        let frames: Range<Int>
        /// The frames that are decoded: ``frames`` with a halo on both sides, where frames exist.
        let decoded: Range<Int>
        /// For each stage the part of its tensor that is kept, in samples from the tensor's first.
        let cuts: [Range<Int>]
        /// The part of the decoded sound that belongs to ``frames``, in samples.
        let sound: Range<Int>
    }

    /// Frames of the first window, which delays the first sound: three quarters of a second in a voice of 22,050 Hz.
    static let first = 64
    /// Frames of the other windows.
    ///
    /// A decoder's tensors then fit into the processor's cache: with 128 frames a sentence takes 1 % less time than
    /// whole, with 64 it takes 3 % more (measured with a medium voice of 500 frames, ONNX Runtime 1.31.1, one
    /// thread).
    static let others = 128

    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - shape: The shape of the decoder.
    /// - Returns: Consecutive windows that cover all frames; they depend only on the number of frames and the shape.
    static func windows(of frames: Int, in shape: DecoderShape) -> [Window] {
        // A short sentence is cut evenly, so that it keeps two or four lanes busy until its end.
        let isShort = frames <= 4 * first
        let even = max(first / 2, (frames + 3) / 4)
        var windows: [Window] = []
        var start = 0
        while start < frames {
            var end = min(frames, start + (isShort ? even : start == 0 ? first : others))
            // A last window of a few frames would be nearly all halo.
            if frames - end < first / 4 { end = frames }
            windows.append(window(start..<end, of: frames, in: shape))
            start = end
        }
        return windows
    }

    private static func window(_ own: Range<Int>, of frames: Int, in shape: DecoderShape) -> Window {
        let decoded = max(0, own.lowerBound - shape.halo)..<min(frames, own.upperBound + shape.halo)
        // The start of the decoded part, and samples in each frame, at the stage before.
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
