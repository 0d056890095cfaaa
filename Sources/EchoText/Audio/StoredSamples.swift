// Every sample of every sound passes through these conversions, so they are plain loops over memory. Closures are as fast
// in a release build, but take six times as long in a debug build, with which all tests run.

extension Float {
    /// The 16-bit sample that has the amplitude 1 in the library's own sound and in what is written, as in libsndfile.
    package static var storedFullScale: Float { 32_767 }
    /// The 16-bit sample that would have the amplitude 1 in sound from engines, microphones and other programs' files.
    package static var fullScale: Float { 32_768 }
}

extension ArraySlice<Float> {
    /// The amplitudes as sound files hold them: at ``Swift/Float/storedFullScale``, values beyond are clipped, and what is
    /// not a number is silence.
    package var pcm16: [Int16] {
        withUnsafeBufferPointer { amplitudes in
            let length = amplitudes.count
            let scale = Float.storedFullScale
            return [Int16](unsafeUninitializedCapacity: length) { samples, count in
                guard let source = amplitudes.baseAddress, let target = samples.baseAddress else { return }
                var index = 0
                while index < length {
                    let amplitude = source[index]
                    // What is not a number does not even equal itself.
                    let clipped: Float =
                        amplitude > 1 ? 1 : amplitude < -1 ? -1 : amplitude == amplitude ? amplitude : 0
                    target[index] = Int16((clipped * scale).rounded(.toNearestOrEven))
                    index += 1
                }
                count = length
            }
        }
    }

    /// The nearest values that a sound file can store; what is not a number is silence.
    package var clipped: [Float] {
        withUnsafeBufferPointer { amplitudes in
            let length = amplitudes.count
            return [Float](unsafeUninitializedCapacity: length) { clipped, count in
                guard let source = amplitudes.baseAddress, let target = clipped.baseAddress else { return }
                var index = 0
                while index < length {
                    let amplitude = source[index]
                    target[index] = amplitude > 1 ? 1 : amplitude < -1 ? -1 : amplitude == amplitude ? amplitude : 0
                    index += 1
                }
                count = length
            }
        }
    }
}

extension [Int16] {
    /// Reads samples as sound files hold them: little-endian, as every machine is that Swift runs on.
    ///
    /// An odd last byte is left out.
    package init(samplesIn bytes: UnsafeRawBufferPointer) {
        let length = bytes.count / MemoryLayout<Int16>.size
        self.init(unsafeUninitializedCapacity: length) { samples, count in
            guard let source = bytes.baseAddress, let target = samples.baseAddress else { return }
            UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: length * MemoryLayout<Int16>.size)
            count = length
        }
    }

    /// Converts samples of sound files.
    ///
    /// - Parameter fullScale: The sample that has the amplitude 1.
    /// - Returns: Their amplitudes.
    package func amplitudes(fullScale: Float) -> [Float] {
        let length = count
        return withUnsafeBufferPointer { samples in
            [Float](unsafeUninitializedCapacity: length) { amplitudes, count in
                guard let source = samples.baseAddress, let target = amplitudes.baseAddress else { return }
                var index = 0
                while index < length {
                    target[index] = Float(source[index]) / fullScale
                    index += 1
                }
                count = length
            }
        }
    }
}
