package import EchoText
import Foundation

/// A neural voice on disk: its folder and what the files there say.
package struct PiperVoice: Sendable, Hashable {
    package let folder: VoiceFolder
    let description: PiperVoiceDescription
    /// Identifies the files, to notice when others take their place.
    package let stamp: VoiceStamp
    /// How its model is run, when that was found out before.
    package let layout: ModelLayout?
    private let known: Set<Unicode.Scalar>

    /// Reads the voice's description; its model is not opened.
    ///
    /// - Throws: ``VoiceFolderError``.
    package init(in folder: VoiceFolder) throws(VoiceFolderError) {
        self.folder = folder
        stamp = VoiceStamp(of: folder)
        description = try PiperVoiceDescription(of: folder)
        known = Set(try PiperVoiceDescription.symbols(of: folder).keys)
        layout = VoiceReceipt(at: folder.path)?.currentLayout
    }

    /// Whether it is the same files as another.
    func isSame(as other: PiperVoice) -> Bool { folder == other.folder && stamp == other.stamp }

    package var voice: Voice {
        Voice(
            id: folder.id,
            name: folder.name,
            language: description.language,
            engine: .piper,
            speakers: description.speakers,
            sampleRate: description.sampleRate
        )
    }

    /// The symbols of `phonemes` that the voice knows, and how many it does not.
    ///
    /// A symbol it lacks is tried in its parts (`ç` as `c` and a cedilla) before it is dropped.
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

    /// Letters that the voice has symbols for, in the order of their numbers in Unicode.
    var letters: [Unicode.Scalar] {
        known.filter { $0.properties.isAlphabetic }.sorted { $0.value < $1.value }
    }
}
