package import EchoText
import Foundation

/// A neural voice on disk: its folder and description.
package struct PiperVoice: Sendable, Hashable {
    package let folder: VoiceFolder
    let description: PiperVoiceDescription
    /// Identifies the files, so that a replacement is noticed.
    package let stamp: VoiceStamp
    /// The model's layout, if it is known.
    package let layout: ModelLayout?
    private let known: Set<Unicode.Scalar>

    /// Reads the voice's description without opening its model.
    ///
    /// - Throws: ``VoiceFolderError``.
    package init(in folder: VoiceFolder) throws(VoiceFolderError) {
        self.folder = folder
        stamp = VoiceStamp(of: folder)
        description = try PiperVoiceDescription(of: folder)
        known = Set(try PiperVoiceDescription.symbols(of: folder).keys)
        layout = VoiceReceipt(at: folder.path)?.currentLayout
    }

    /// Whether it has the same files as another.
    func isSame(as other: PiperVoice) -> Bool { folder == other.folder && stamp == other.stamp }

    package var voice: Voice {
        Voice(
            id: folder.id,
            name: folder.name,
            language: description.language,
            engine: .piper,
            speakers: description.speakers,
            speakerNames: description.speakerNames,
            sampleRate: description.sampleRate
        )
    }

    /// The symbols of `phonemes` that the voice knows, and the number of those it does not.
    ///
    /// An unknown symbol is decomposed (`ç` to `c` and a cedilla) before it is dropped.
    func symbols(in phonemes: String) -> (known: [Unicode.Scalar], dropped: Int) {
        var symbols: [Unicode.Scalar] = []
        var dropped = 0
        for scalar in phonemes.unicodeScalars {
            if known.contains(scalar) {
                if !(scalar == " " && symbols.last == " ") { symbols.append(scalar) }
                continue
            }
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter(known.contains)
            symbols.append(contentsOf: parts)
            if parts.isEmpty { dropped += 1 }
        }
        while symbols.last == " " { symbols.removeLast() }
        return (symbols, dropped)
    }

    /// Letters that the voice has symbols for, in the order of their code points.
    var letters: [Unicode.Scalar] {
        known.filter { $0.properties.isAlphabetic }.sorted { $0.value < $1.value }
    }
}
