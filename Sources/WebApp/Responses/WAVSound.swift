import Hummingbird

/// A short sound as a whole WAV file of 16-bit mono.
///
/// - SeeAlso: Multimedia Programming Interface and Data Specifications 1.0 (RIFF).
struct WAVSound {
    let samples: [Int16]
    /// In hertz.
    let sampleRate: Int

    var file: ByteBuffer {
        let length = UInt32(2 * samples.count)
        var file = ByteBuffer()
        file.writeString("RIFF")
        file.writeInteger(36 + length, endianness: .little)
        file.writeString("WAVEfmt ")
        file.writeInteger(16 as UInt32, endianness: .little)
        file.writeInteger(1 as UInt16, endianness: .little)  // PCM
        file.writeInteger(1 as UInt16, endianness: .little)  // channels
        file.writeInteger(UInt32(sampleRate), endianness: .little)
        file.writeInteger(UInt32(2 * sampleRate), endianness: .little)
        file.writeInteger(2 as UInt16, endianness: .little)  // bytes a frame
        file.writeInteger(16 as UInt16, endianness: .little)  // bits a sample
        file.writeString("data")
        file.writeInteger(length, endianness: .little)
        file.writeSamples(samples)
        return file
    }
}

extension ByteBuffer {
    /// Little-endian, as every machine is that Swift runs on.
    mutating func writeSamples(_ samples: [Int16]) {
        _ = samples.withUnsafeBytes { writeBytes($0) }
    }
}
