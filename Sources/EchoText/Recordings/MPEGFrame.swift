/// One frame of MPEG sound.
///
/// - SeeAlso: ISO/IEC 11172-3, section 2.4.1.3.
package struct MPEGFrame: Sendable, Hashable {
    /// What all frames of a sound have in common.
    package struct Format: Sendable, Hashable {
        /// 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5.
        package let version: UInt8
        /// 3 for layer I, 2 for layer II, 1 for layer III.
        package let layer: UInt8
        /// In hertz.
        package let rate: Int
        package let isMono: Bool

        /// Samples of a frame.
        package var samples: Int {
            switch layer {
            case 3: 384
            case 2: 1_152
            default: version == 3 ? 1_152 : 576
            }
        }
    }

    package let format: Format
    /// In bytes.
    package let length: Int

    /// Fails where `head`, its first four bytes, is that of none, or does not say how long it is.
    package init?(head: [UInt8]) {
        guard head.count == 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
        let (version, layer) = (head[1] >> 3 & 3, head[1] >> 1 & 3)
        let (rateIndex, bitRateIndex) = (Int(head[2] >> 2 & 3), Int(head[2] >> 4))
        guard version != 1, layer != 0, rateIndex != 3, (1...14).contains(bitRateIndex), head[3] & 3 != 2 else {
            return nil
        }
        let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        format = Format(version: version, layer: layer, rate: rate, isMono: head[3] >> 6 == 3)
        let rates = version == 3 ? Self.bitRates[Int(3 - layer)] : Self.lowBitRates[layer == 3 ? 0 : 1]
        let bits = rates[bitRateIndex - 1] * 1_000
        let padding = Int(head[2] >> 1 & 1)
        length = layer == 3 ? (12 * bits / rate + padding) * 4 : format.samples / 8 * bits / rate + padding
        guard length >= 24 else { return nil }
    }

    /// Thousands of bits a second, by the layer, for the full sample rates.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    /// The same for the lower sample rates: layer I, and the others.
    private static let lowBitRates = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
