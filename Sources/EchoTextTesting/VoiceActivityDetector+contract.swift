package import EchoText
import Testing

/// Checks every promise ``VoiceActivityDetector`` and ``VoiceActivitySession`` make.
///
/// - Parameters:
///   - detector: The detector to check.
///   - speech: Speech of at least a second, with little silence in it.
/// - Throws: Unexpected errors of the detector.
package func verifyContract(of detector: some VoiceActivityDetector, on speech: AudioClip) async throws {
    let pause = AudioClip.silence(2)
    let sound = AudioClip(
        samples: pause.samples + speech.samples + pause.samples,
        sampleRate: RecognitionClip.sampleRate
    )
    let whole = try await windows(of: detector, in: sound, cutInto: [sound.samples.count])
    #expect(whole.count == sound.samples.count / VoiceWindow.samples, "every complete window is reported once")
    #expect(try await windows(of: detector, in: sound, cutInto: [1, 0, 511, 512, 4_000]) == whole)
    #expect(try await windows(of: detector, in: sound, cutInto: [160, 37, 20_000]) == whole)

    let start = pause.samples.count / VoiceWindow.samples
    let end = (pause.samples.count + speech.samples.count) / VoiceWindow.samples
    let inside = whole[start..<end].spoken
    #expect(inside * 2 > end - start, "most of the speech is speech: \(inside) of \(end - start)")
    let (before, after) = (whole[..<(start - 1)], whole.suffix(15))
    #expect(before.spoken == 0, "nothing before it is")
    #expect(after.spoken == 0, "and a second and a half after it nothing is any more")
    #expect(whole[0].level == -120)
    #expect(whole.allSatisfy { (-120...1).contains($0.level) })

    for amplitude in [Float(0.003), 0.03, 0.3] {
        let noise = AudioClip.noise(4, amplitude: amplitude)
        let detected = try await windows(of: detector, in: noise, cutInto: [8_000])
        #expect(detected.spoken == 0, "white noise of \(amplitude) is no speech")
        let level = noise.level ?? 0
        #expect(detected.allSatisfy { abs(Double($0.level) - level) < 1.5 }, "the level is that of the window")
    }

    var strange = speech
    for (index, value) in [Float.nan, .infinity, -.infinity, 1e30].enumerated() { strange.samples[index * 7] = value }
    let detected = try await windows(of: detector, in: strange, cutInto: [strange.samples.count])
    #expect(detected.allSatisfy { (-120...1).contains($0.level) }, "samples that are no numbers harm nobody")
    let laterHalf = detected.suffix(detected.count / 2)
    #expect(laterHalf.spoken > 0, "and do not deafen it")

    let (one, two) = (try await detector.open(), try await detector.open())
    _ = try await one.detect(sound)
    #expect(try await two.detect(sound) == whole, "each session hears a sound of its own")
    await one.close()
    await one.close()
    await two.close()
}

/// The windows that a new session of `detector` returns for a sound in clips of repeating lengths.
private func windows(
    of detector: some VoiceActivityDetector,
    in sound: AudioClip,
    cutInto lengths: [Int]
) async throws -> [VoiceWindow] {
    let session = try await detector.open()
    var windows: [VoiceWindow] = []
    var (position, turn) = (0, 0)
    while position < sound.samples.count {
        let end = min(position + lengths[turn % lengths.count], sound.samples.count)
        let clip = AudioClip(samples: Array(sound.samples[position..<end]), sampleRate: sound.sampleRate)
        windows += try await session.detect(clip)
        (position, turn) = (end, turn + 1)
    }
    await session.close()
    return windows
}

extension Collection<VoiceWindow> {
    /// How many of them are speech.
    fileprivate var spoken: Int { count { $0.isSpeech } }
}
