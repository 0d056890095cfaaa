package import EchoText
import Foundation

/// A neural voice on disk: its folder and what the files there say.
package struct PiperVoice: Sendable, Hashable {
    package let folder: VoiceFolder
    let description: PiperVoiceDescription
    /// What tells the files from others that take their place.
    package let stamp: VoiceStamp
    private let known: Set<Unicode.Scalar>

    /// Reads the voice's description; its model is not opened.
    ///
    /// - Throws: ``VoiceFolderError``.
    package init(in folder: VoiceFolder) throws(VoiceFolderError) {
        self.folder = folder
        stamp = VoiceStamp(of: folder)
        description = try PiperVoiceDescription(of: folder)
        known = Set(try PiperVoiceDescription.symbols(of: folder).keys)
    }

    /// The voice's id: what follows `vits-piper-` in the folder's name, which tells variants of one voice apart; the model's name in
    /// a folder that is called otherwise.
    package static func id(of folder: VoiceFolder) -> Voice.ID {
        let prefix = "vits-piper-"
        let name = (folder.path as NSString).lastPathComponent
        let own = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : ""
        return Voice.ID(rawValue: "piper/\(own.isEmpty ? folder.name : own)")
    }

    package var voice: Voice {
        Voice(
            id: Self.id(of: folder),
            name: folder.name,
            language: description.language,
            engine: .sherpaOnnx,
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

    /// Whether the voice has a symbol for `scalar`.
    func knows(_ scalar: Unicode.Scalar) -> Bool { known.contains(scalar) }
}

extension VoiceFolder {
    /// The voice in the folder at `path`.
    ///
    /// - Throws: ``VoiceFolderError/notAVoiceFolder`` when there is no `.onnx` file in it; with several, the first by name
    ///   that has a description beside it is taken.
    package static func find(at path: String) throws(VoiceFolderError) -> VoiceFolder {
        let url = URL(filePath: path).standardizedFileURL
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else { throw .notAVoiceFolder }
        let models = names.filter { $0.hasSuffix(".onnx") && !$0.hasPrefix(".") }.sorted()
        let described = models.first { names.contains($0 + ".json") }
        guard let model = described ?? models.first else {
            guard let lone = names.first(where: { $0.hasSuffix(".onnx.json") }) else { throw .notAVoiceFolder }
            throw .missingFile(String(lone.dropLast(".json".count)))
        }
        return VoiceFolder(path: url.path, name: String(model.dropLast(".onnx".count)))
    }

    /// Voices in the folders inside `path`, sorted by name; folders without one are passed over.
    package static func all(in path: String) -> [VoiceFolder] {
        // A home for voices that does not exist yet holds none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap { try? find(at: "\(path)/\($0)") }
    }
}
