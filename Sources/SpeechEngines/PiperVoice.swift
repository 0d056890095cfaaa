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
        layout = ModelReceipt(at: folder.path)?.currentLayout
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

    /// The symbols of `phonemes` that the voice knows, and those it does not.
    ///
    /// An unknown symbol that can be decomposed leaves as much as the voice knows of it.
    func symbols(in phonemes: String) -> (known: [Unicode.Scalar], dropped: [Unicode.Scalar]) {
        var symbols: [Unicode.Scalar] = []
        var dropped: [Unicode.Scalar] = []
        for scalar in phonemes.unicodeScalars {
            let spellings = spellings(of: scalar)
            if let spelling = spellings.first(where: { $0.allSatisfy(known.contains) }) {
                if !(scalar == " " && symbols.last == " ") { symbols += spelling }
            } else {
                symbols += spellings.map { $0.filter(known.contains) }.max { $0.count < $1.count } ?? []
                dropped.append(scalar)
            }
        }
        while symbols.last == " " { symbols.removeLast() }
        return (symbols, dropped)
    }

    /// The ways to write a symbol, of which the first is taken that the voice knows as a whole.
    ///
    /// Piper decomposes symbols (`ç` to `c` and a cedilla), and a voice that knows both was trained so; older ones
    /// know no marks. For a voice that reads letters, Piper writes them in lower case.
    ///
    /// - SeeAlso: `phonemize_eSpeak` and `phonemize_codepoints` in piper-phonemize.
    private func spellings(of scalar: Unicode.Scalar) -> [[Unicode.Scalar]] {
        func both(_ text: String) -> [[Unicode.Scalar]] {
            [Array(text.decomposedStringWithCanonicalMapping.unicodeScalars), Array(text.unicodeScalars)]
        }
        let text = String(scalar)
        switch description.phonemes {
        case .espeak: return scalar.isASCII ? [[scalar]] : both(text)
        case .text: return both(text) + both(text.lowercased())
        }
    }

    /// Letters that the voice has symbols for, in the order of their code points.
    var letters: [Unicode.Scalar] {
        known.filter { $0.properties.isAlphabetic }.sorted { $0.value < $1.value }
    }
}

/// The description of a Piper model in the files of its folder.
///
/// - SeeAlso: the `.onnx.json` of any voice in rhasspy/piper-voices, and sherpa-onnx's `tokens.txt`.
struct PiperVoiceDescription: Sendable, Hashable {
    /// The voice's amounts of noise.
    struct Inference: Sendable, Hashable {
        var noiseScale = 0.667
        var lengthScale = 1.0
        var durationNoiseScale = 0.8
    }

    /// The kind of the model's symbols.
    enum PhonemeType: Sendable, Hashable {
        /// International Phonetic Alphabet as espeak-ng writes it for a voice or language of its own.
        case espeak(language: String)
        /// The letters themselves.
        case text
    }

    let sampleRate: Int
    let speakers: Int
    /// Their names, in order; `nil` unless each has one.
    let speakerNames: [String]?
    let phonemes: PhonemeType
    let inference: Inference
    /// A BCP 47 tag.
    let language: String

    /// The limit on a description or symbol list, in bytes; real ones stay under 100 kB.
    private static let largestFile = 4 << 20

    /// Reads the description in a voice's folder.
    ///
    /// - Throws: ``VoiceFolderError`` naming the file that is missing, unreadable or damaged.
    init(of folder: VoiceFolder) throws(VoiceFolderError) {
        try Self.check(folder.model)
        let name = "\(folder.name).onnx.json"
        let file: DescriptionFile
        let names: SpeakerTable?
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let contents = try Self.contents(of: folder.description)
            file = try decoder.decode(DescriptionFile.self, from: contents)
            // A voice without a valid table speaks as well; its people have numbers.
            names = try? JSONDecoder().decode(SpeakerTable.self, from: contents)
        } catch let error as VoiceFolderError {
            throw error
        } catch {
            throw .badDescription(name)
        }
        guard (4_000...192_000).contains(file.audio.sampleRate), (1...100_000).contains(file.numSpeakers ?? 1) else {
            throw .badDescription(name)
        }
        sampleRate = file.audio.sampleRate
        speakers = file.numSpeakers ?? 1
        speakerNames = names?.names(of: speakers)
        let spoken = file.espeak?.voice ?? file.language?.code ?? String(folder.name.prefix { $0 != "-" })
        language = LanguageTag.canonical(file.language?.code ?? spoken)
        switch file.phonemeType ?? "espeak" {
        case "espeak": phonemes = .espeak(language: spoken)
        case "text": phonemes = .text
        case let other: throw .unsupportedPhonemes(name, type: String(other.prefix(20)))
        }
        inference = file.inference.map(Inference.init) ?? Inference()
    }

    /// The symbols the model knows and their numbers, from `tokens.txt`.
    ///
    /// - Throws: ``VoiceFolderError/missingFile(_:)``, ``VoiceFolderError/unreadableFile(_:)`` or
    ///   ``VoiceFolderError/badTokens(_:)``, the last one also when the pad, start or end symbol is missing.
    static func symbols(of folder: VoiceFolder) throws(VoiceFolderError) -> [Unicode.Scalar: Int] {
        let contents = String(decoding: try contents(of: folder.tokens), as: UTF8.self)
        var symbols: [Unicode.Scalar: Int] = [:]
        for line in contents.split(whereSeparator: \.isNewline) {
            let scalars = Array(line.unicodeScalars)
            guard let space = scalars.lastIndex(of: " ") else {
                throw .badTokens("tokens.txt")
            }
            guard let number = Self.number(in: scalars[(space + 1)...]), number >= 0 else {
                throw .badTokens("tokens.txt")
            }
            if space == 1, let symbol = scalars.first { symbols[symbol] = number }
        }
        let needed: [Unicode.Scalar] = ["_", "^", "$"]
        guard needed.allSatisfy({ symbols[$0] != nil }) else { throw .badTokens("tokens.txt") }
        return symbols
    }

    /// The symbols of one scalar and their numbers from the description; empty when it has none.
    static func describedSymbols(of folder: VoiceFolder) -> [Unicode.Scalar: Int] {
        // A description without a valid table cannot be compared.
        let table = try? JSONDecoder().decode(SymbolTable.self, from: contents(of: folder.description))
        var symbols: [Unicode.Scalar: Int] = [:]
        for (symbol, numbers) in table?.symbols ?? [:] {
            let scalars = symbol.unicodeScalars
            guard scalars.count == 1, let scalar = scalars.first, let number = numbers.first else { continue }
            symbols[scalar] = number
        }
        return symbols
    }

    private static func number(in scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        var digits = String.UnicodeScalarView()
        digits.append(contentsOf: scalars)
        return Int(String(digits).trimmingCharacters(in: .whitespaces))
    }

    private static func contents(of path: String) throws(VoiceFolderError) -> Data {
        let name = (path as NSString).lastPathComponent
        try check(path)
        guard let file = FileHandle(forReadingAtPath: path) else { throw .unreadableFile(name) }
        defer { _ = try? file.close() }  // the file was only read, so a failed close loses nothing
        do {
            let contents = try file.read(upToCount: largestFile + 1) ?? Data()
            guard contents.count <= largestFile else { throw VoiceFolderError.badDescription(name) }
            return contents
        } catch {
            throw error as? VoiceFolderError ?? .unreadableFile(name)
        }
    }

    private static func check(_ path: String) throws(VoiceFolderError) {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw .missingFile(name)
        }
        guard FileManager.default.isReadableFile(atPath: path) else { throw .unreadableFile(name) }
    }
}

/// The numbers of symbols in `.onnx.json`.
private struct SymbolTable: Decodable {
    let symbols: [String: [Int]]

    enum CodingKeys: String, CodingKey {
        case symbols = "phoneme_id_map"
    }
}

/// The names of the people of a voice in `.onnx.json`.
private struct SpeakerTable: Decodable {
    let numbers: [String: Int]

    enum CodingKeys: String, CodingKey {
        case numbers = "speaker_id_map"
    }

    /// The most characters of a name that are shown.
    private static let longest = 60

    /// The names of all of so many people, in their order; `nil` for one alone, and when somebody has none.
    func names(of count: Int) -> [String]? {
        guard count > 1, numbers.count >= count else { return nil }
        var named: [Int: String] = [:]
        for (name, number) in numbers { named[number] = min(named[number] ?? name, name) }
        let names = (0..<count).compactMap { named[$0] }.filter { name in
            let isClean = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            return !name.isEmpty && name.count <= Self.longest && isClean
        }
        return names.count == count ? names : nil
    }
}

/// The parts of `.onnx.json` that are used here; its keys are in snake case.
private struct DescriptionFile: Decodable {
    struct Audio: Decodable { let sampleRate: Int }
    struct Espeak: Decodable { let voice: String }
    struct Language: Decodable { let code: String }
    struct Inference: Decodable {
        let noiseScale: Double?
        let lengthScale: Double?
        let noiseW: Double?
    }

    let audio: Audio
    let espeak: Espeak?
    let language: Language?
    let phonemeType: String?
    let numSpeakers: Int?
    let inference: Inference?
}

extension PiperVoiceDescription.Inference {
    /// Replaces unusable values with Piper's defaults.
    fileprivate init(_ file: DescriptionFile.Inference) {
        if let value = file.noiseScale, (0...5).contains(value) { noiseScale = value }
        if let value = file.lengthScale, (0.1...10).contains(value) { lengthScale = value }
        if let value = file.noiseW, (0...5).contains(value) { durationNoiseScale = value }
    }
}
