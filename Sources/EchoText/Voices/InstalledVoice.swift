package import Foundation

/// A neural voice that is installed.
package struct InstalledVoice: Sendable, Hashable, Codable {
    package let voice: Voice
    /// The name of its folder in the folder of the voices, never a path.
    package let folder: String
    package let quality: VoiceQuality?
    /// The size of its files, in bytes.
    package let bytes: Int64
    /// The terms of use in its `MODEL_CARD`; `nil` without one.
    package let licence: VoiceLicence?
    /// How it was installed; `nil` for a folder that the person has put there.
    package let receipt: ModelReceipt?

    package init(
        voice: Voice,
        folder: String,
        quality: VoiceQuality?,
        bytes: Int64,
        licence: VoiceLicence?,
        receipt: ModelReceipt?
    ) {
        self.voice = voice
        self.folder = folder
        self.quality = quality
        self.bytes = bytes
        self.licence = licence
        self.receipt = receipt
    }
}

/// The terms on which a voice may be used, as stated by its maker.
package struct VoiceLicence: Sendable, Hashable, Codable {
    /// In the publisher's words, shortened: `CC BY 4.0`, `public domain`.
    package let name: String
    /// Whether commercial use is allowed; `nil` when the words do not say.
    package let isCommercial: Bool?

    package init(name: String, isCommercial: Bool?) {
        self.name = name
        self.isCommercial = isCommercial
    }
}

/// How a voice was installed; stored in its folder.
package struct ModelReceipt: Sendable, Hashable, Codable {
    /// Its entry in the catalogue; `nil` for a voice that the person added.
    package let entry: CatalogueEntry.ID?
    package let url: String?
    package let archiveBytes: Int64?
    package let sha256: String?
    /// Seconds since 1970.
    package let installedAt: Double
    /// Size in bytes by file name, so that missing and altered files can be recognized.
    package var files: [String: Int64]
    /// How the model is run, and the version of the rules that found it out; `nil` when it is unknown.
    private var layout: String?
    private var layoutRules: Int?

    /// Raised when the analysis of models changes, so that it is done again.
    private static let currentRules = 2

    package init(
        entry: CatalogueEntry.ID?,
        url: String?,
        archiveBytes: Int64?,
        sha256: String?,
        installedAt: Double,
        files: [String: Int64]
    ) {
        self.entry = entry
        self.url = url
        self.archiveBytes = archiveBytes
        self.sha256 = sha256
        self.installedAt = installedAt
        self.files = files
    }

    /// When it was installed, within the times that can be shown.
    package var installed: Date { Date(timeIntervalSince1970: min(max(0, installedAt), 1e10)) }

    /// How the model is run; `nil` when rules of an earlier version found it out.
    package var currentLayout: ModelLayout? {
        get { layoutRules == Self.currentRules ? layout.flatMap(ModelLayout.init(rawValue:)) : nil }
        set { (layout, layoutRules) = (newValue?.rawValue, newValue == nil ? nil : Self.currentRules) }
    }
}

/// The content of the folder of the voices at one moment.
///
/// If several folders have the same id, the first complete one counts.
package struct InstalledVoices: Sendable {
    /// The readable voices, by name, including those whose files have changed.
    package let voices: [InstalledVoice]
    /// The faults of folders of voices, by the folders' names.
    package let faults: [VoiceFault]

    package init(voices: [InstalledVoice] = [], faults: [VoiceFault] = []) {
        self.voices = voices
        self.faults = faults
    }

    package func voice(_ id: Voice.ID) -> InstalledVoice? { voices.first { $0.voice.id == id } }

    package func fault(of id: Voice.ID) -> VoiceFault? { faults.first { $0.id == id } }
}

extension ModelReceipt {
    /// The receipt's name in a voice's folder; hidden, since it is no file of the voice.
    package static let fileName = ".echotext-receipt.json"
    /// The largest receipt, in bytes; that of a voice with 400 files has 20 kB.
    private static let maximumBytes = 1 << 20

    /// The receipt in the folder at `path`; `nil` when there is none that can be read.
    package init?(at path: String) {
        let url = URL(filePath: "\(path)/\(Self.fileName)")
        // A voice without a receipt was put there by the person.
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.maximumBytes,
            let data = try? Data(contentsOf: url),
            let receipt = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = receipt
    }

    package var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// The first file, by name, that has not the size it was installed with; `nil` when all are as they were.
    package func difference(at path: String) -> String? {
        files.sorted { $0.key < $1.key }.first { Self.size(of: "\(path)/\($0.key)") != $0.value }?.key
    }

    /// The sizes in bytes of all files in a folder and its subfolders, by relative path, without receipts and links.
    package static func files(in path: String) -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var status = stat()
            guard name != fileName, lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            sizes[name] = Int64(status.st_size)
        }
        return sizes
    }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}

extension VoiceLicence {
    /// Most characters of a licence's name.
    private static let longestName = 80

    /// The licence that a voice's `MODEL_CARD` names, on a line such as `* License: CC BY 4.0`.
    ///
    /// - Returns: `nil` when the card names none.
    package init?(card: String) {
        let lines = card.split(whereSeparator: \.isNewline).prefix(500)
        let named = lines.lazy.compactMap(Self.named).first
        guard let named else { return nil }
        let allowsTrade = Self.allowsTrade(named)
        // The licence is that of the recordings; the licence of the base voice may apply to the model too.
        let isTuned = lines.contains { $0.lowercased().replacing("-", with: "").contains("finetuned from") }
        self.init(
            name: isTuned ? "\(named) (recordings), fine-tuned from another voice" : named,
            isCommercial: isTuned && allowsTrade == true ? nil : allowsTrade
        )
    }

    private static func named(_ line: Substring) -> String? {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let label = parts[0].lowercased().filter { $0.isLetter || $0 == " " }.trimmed
        guard ["license", "licence", "dataset license", "dataset licence"].contains(label) else { return nil }
        let name = String(parts[1].unicodeScalars.filter { $0.properties.generalCategory != .control }).trimmed
        return name.isEmpty ? nil : String(name.prefix(longestName))
    }

    /// Whether a licence of this name allows commercial use; `nil` when the name does not say.
    private static func allowsTrade(_ name: String) -> Bool? {
        let words = Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let text = name.lowercased()
        if words.contains("nc") || text.contains("noncommercial") || text.contains("non-commercial")
            || text.contains("non commercial") || words.contains("research") || words.contains("blizzard")
        {
            return false
        }
        let free: Set = ["cc0", "apache", "mit", "bsd", "unlicense", "gpl", "lgpl", "mpl"]
        if !words.isDisjoint(with: free) || text.contains("public domain") { return true }
        return words.contains("cc") && words.contains("by") ? true : nil
    }
}

/// Identifies a voice's files by their sizes, modification times and inodes, to detect replacements.
package struct VoiceStamp: Sendable, Hashable, CustomStringConvertible {
    private struct File: Sendable, Hashable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int
        let inode: UInt
    }

    private let files: [File?]

    /// Looks at the disk; a file that is missing counts as such.
    package init(of folder: VoiceFolder) {
        files = [folder.model, folder.description, folder.tokens].map { path in
            var found = stat()
            guard stat(path, &found) == 0 else { return nil }
            return File(
                size: found.st_size,
                seconds: found.st_mtim.tv_sec,
                nanoseconds: found.st_mtim.tv_nsec,
                inode: found.st_ino
            )
        }
    }

    /// The same for the same files, also in another process.
    package var description: String {
        files.map { file in file.map { "\($0.size) \($0.seconds).\($0.nanoseconds)" } ?? "-" }.joined(separator: " ")
    }
}
