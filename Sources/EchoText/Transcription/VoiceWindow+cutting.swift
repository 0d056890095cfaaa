import Foundation

extension VoiceWindow {
    /// The lowest level that is reported, in dBFS.
    package static let lowestLevel: Float = -120

    /// The level of a window's samples, as ``level`` has it.
    package static func level(of samples: some Sequence<Float>) -> Float {
        let power = samples.reduce(into: 0.0) { $0 += Double($1) * Double($1) } / Double(Self.samples)
        return power > 0 ? max(lowestLevel, Float(10 * log10(power))) : lowestLevel
    }
}

/// Cuts a sound that arrives in clips into windows of ``VoiceWindow/samples``.
package struct VoiceWindowCutter: Sendable {
    private var rest: [Float] = []

    package init() {}

    /// Adds a clip.
    ///
    /// - Returns: The samples of all windows completed by it, in sequence, each sample from -1 to 1.
    package mutating func cut(_ clip: AudioClip) -> [Float] {
        rest += clip.samples.lazy.map { $0.clipped }
        let count = rest.count / VoiceWindow.samples * VoiceWindow.samples
        defer { rest.removeFirst(count) }
        return Array(rest[..<count])
    }
}
