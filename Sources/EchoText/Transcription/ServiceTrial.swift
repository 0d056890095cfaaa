import Foundation

/// The sound for testing a service: a second of three notes, which contains nothing private.
package enum ServiceTrial {
    package static let clip: AudioClip = {
        let rate = RecognitionClip.sampleRate
        let notes = [523.25, 659.25, 783.99]  // C, E and G, in hertz
        let samples = (0..<rate).map { place -> Float in
            let note = notes[place * notes.count / rate]
            let within = Double(place * notes.count % rate) / Double(rate)
            // Each note swells and fades, so that it does not click.
            return Float(0.3 * sin(.pi * within) * sin(2 * .pi * note * Double(place) / Double(rate)))
        }
        return AudioClip(samples: samples, sampleRate: rate)
    }()

    /// The question to the person before it is sent.
    package static func sending(to service: TranscriptionService) -> Sending {
        Sending(bytes: WAVHeader.plainLength + 2 * clip.samples.count, seconds: clip.seconds, to: service)
    }
}
