/// The outline of a recording's sound: how loud it is from its beginning to its end.
///
/// ```swift
/// let waveform = try await Waveform(of: RecordingReader(of: library.audio.sound(of: id)))
/// ```
package struct Waveform: Sendable, Hashable {
    /// The most parts that a sound is divided into.
    package static let mostParts = 512

    /// For each of the equally long parts the square root of its largest amplitude, from 0 for silence to 255 for full
    /// scale, so that quiet sound keeps its differences.
    ///
    /// A sound of fewer samples than ``mostParts`` has one for each sample.
    package let peaks: [UInt8]

    /// Reads all of a sound once, from its beginning to its end.
    ///
    /// - Throws: What reading throws, `CancellationError`.
    /// - Complexity: O(*n*) in the number of samples, each of which is decrypted once; the memory does not depend on it.
    package init(of reader: RecordingReader) async throws {
        let parts = min(Self.mostParts, reader.count)
        var peaks: [UInt8] = []
        for part in 0..<parts {
            let range = reader.count * part / parts..<reader.count * (part + 1) / parts
            peaks.append(Self.level(of: try await reader.peak(of: range)))
        }
        self.peaks = peaks
    }

    /// The level of an amplitude as in 16-bit sound, 0 to 32,768.
    private static func level(of peak: Int) -> UInt8 {
        UInt8((255 * min(1, Double(peak) / Double(Float.storedFullScale)).squareRoot()).rounded())
    }
}

/// Draws up the waveforms of recordings, each once while the library is open.
package actor Waveforms {
    private struct Key: Hashable {
        let item: AudioItem.ID
        /// In bytes; another one after a sentence of the recording was spoken again.
        let length: Int
    }

    /// How many are kept, in 64 KB.
    private static let mostKept = 128

    private let flights = SingleFlight<Key, Waveform>()
    private var known: [Key: Waveform] = [:]
    /// The keys of ``known``, the oldest first.
    private var order: [Key] = []

    package init() {}

    /// The waveform of a recording; the first time its whole sound is read for as long as somebody waits.
    ///
    /// - Throws: ``LibraryError/itemNotFound``, ``VaultError``, `CancellationError`.
    package func waveform(of id: AudioItem.ID, in library: any AudioLibrary) async throws -> Waveform {
        let sound = try await library.sound(of: id)
        let key = Key(item: id, length: sound.length)
        if let waveform = known[key] { return waveform }
        let waveform = try await flights.join(key) { try await Waveform(of: RecordingReader(of: sound)) }
        keep(waveform, as: key)
        return waveform
    }

    /// Ends all reading.
    package func close() async {
        await flights.stopAll()
    }

    private func keep(_ waveform: Waveform, as key: Key) {
        guard known.updateValue(waveform, forKey: key) == nil else { return }
        order.append(key)
        if order.count > Self.mostKept { known[order.removeFirst()] = nil }
    }
}
