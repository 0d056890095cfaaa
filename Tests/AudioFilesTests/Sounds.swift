import EchoText
import EchoTextTesting
import Foundation

@testable import AudioFiles

extension AudioClip {
    /// A steady sine at a fifth of full scale, −17 dBFS.
    static func tone(_ hertz: Double, seconds: Double, sampleRate: Int) -> AudioClip {
        let count = Int((seconds * Double(sampleRate)).rounded())
        return AudioClip(
            samples: (0..<count).map { Float(0.2 * sin(2 * .pi * hertz * Double($0) / Double(sampleRate))) },
            sampleRate: sampleRate
        )
    }

    /// A vowel like “ah”: pulses at `hertz`, through the first three resonances of a grown man's mouth.
    ///
    /// - SeeAlso: Klatt, “Software for a cascade/parallel formant synthesizer” (1980), for the resonator.
    static func vowel(_ hertz: Double, seconds: Double, sampleRate: Int) -> AudioClip {
        let rate = Double(sampleRate)
        var signal = (0..<Int(seconds * rate)).map { index in
            (Double(index) * hertz / rate).rounded(.down) > (Double(index - 1) * hertz / rate).rounded(.down) ? 1.0 : 0
        }
        for (frequency, bandwidth) in [(730.0, 90.0), (1_090, 110), (2_440, 170)] {
            let c = -exp(-2 * .pi * bandwidth / rate)
            let b = 2 * exp(-.pi * bandwidth / rate) * cos(2 * .pi * frequency / rate)
            var (last, beforeLast) = (0.0, 0.0)
            for index in signal.indices {
                let value = (1 - b - c) * signal[index] + b * last + c * beforeLast
                (beforeLast, last) = (last, value)
                signal[index] = value
            }
        }
        let peak = signal.map(abs).max() ?? 1
        return AudioClip(samples: signal.map { Float($0 / peak * 0.5) }, sampleRate: sampleRate)
    }

    /// The frequency of the middle tenth of a second, by autocorrelation, from 50 to 600 hertz.
    ///
    /// The shortest lag that comes within 5 % of the best is taken, so that a multiple of the period is not.
    var fundamental: Double {
        let window = min(samples.count, sampleRate / 10)
        let part = samples[(samples.count - window) / 2..<(samples.count + window) / 2].map(Double.init)
        let lags = sampleRate / 600...sampleRate / 50
        let likeness = lags.map { lag in
            var (product, first, second) = (0.0, 1e-12, 1e-12)
            for index in 0..<window - lag {
                product += part[index] * part[index + lag]
                first += part[index] * part[index]
                second += part[index + lag] * part[index + lag]
            }
            return product / (first * second).squareRoot()
        }
        let best = likeness.max() ?? 0
        let peak = likeness.indices.dropFirst().dropLast().first {
            likeness[$0] >= 0.95 * best && likeness[$0] >= likeness[$0 - 1] && likeness[$0] >= likeness[$0 + 1]
        }
        return peak.map { Double(sampleRate) / Double(lags.lowerBound + $0) } ?? 0
    }
}

/// A folder that lasts as long as `body`.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "audio-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system clears what is left
    return try await body(folder.path)
}

/// The contents of `folder`, hidden files too.
func entries(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

/// The sound that libsndfile decodes from a file, in the test's own process.
func decodedByLibsndfile(_ file: Data) async throws -> SoundCollector {
    let output = SoundCollector()
    let bytes = [UInt8](file)
    var pieces: [DecodedSound] = []
    let failure: (any Error)?
    do {
        try SoundFileDecoding.decode(length: bytes.count) { range in
            Array(bytes[range.prefix(5_000)])
        } give: {
            pieces.append($0)
        }
        failure = nil
    } catch {
        failure = error
    }
    for piece in pieces { try await output.take(piece) }
    if let failure { throw failure }
    return output
}

/// The sound that FFmpeg decodes from a file.
func decodedByFFmpeg(_ file: Data, track: Int? = nil) async throws -> SoundCollector {
    let program = FFmpegDecoder(searchPath: "/usr/local/bin:/usr/bin:/bin", needsConfinement: false)
    let output = SoundCollector()
    try await program.decode(HeldBytes(file), track: track) { try await output.take($0) }
    return output
}

extension SoundCollector {
    /// How long the sound is, in seconds.
    var seconds: Double { Double(samples.count) / Double(facts?.sampleRate ?? 1) }

    /// A part of the sound, in seconds, and silence where there is none.
    func clip(_ range: Range<Double>) -> AudioClip {
        let rate = facts?.sampleRate ?? 8_000
        let wanted = Int(range.lowerBound * Double(rate))..<Int(range.upperBound * Double(rate))
        let part = samples[wanted.clamped(to: samples.indices)]
        let missing = [Float](repeating: 0, count: wanted.count - part.count)
        return AudioClip(samples: part.map { Float($0) / 32_768 } + missing, sampleRate: rate)
    }

    /// The sound from `start` on, and silence where there is none.
    func clip(from start: Double, seconds: Double = 0.5) -> AudioClip { clip(start..<start + seconds) }
}
