/// The properties of a neural voice in the name of its folder or model.
///
/// `en_US-hfc_female-medium-int8` is “HFC female” in medium quality, as 8-bit numbers.
package struct NeuralVoiceName: Sendable, Hashable {
    /// The name as a person writes it, without language and quality.
    package let title: String
    package let quality: VoiceQuality?
    package let variant: CatalogueEntry.Variant?

    /// - Returns: `nil` for a voice that is built in.
    package init?(of id: Voice.ID) {
        guard let folder = id.usualFolder else { return nil }
        if let entry = CatalogueEntry(archive: folder + CatalogueEntry.ending) {
            (title, quality, variant) = (Self.title(entry.name), entry.quality, entry.variant)
        } else {
            let own = folder.dropFirst(Voice.ID.folderPrefix.count)
            let parts = own.split(separator: "-")
            quality = parts.count > 1 ? parts.last.map { VoiceQuality(rawValue: String($0)) }.flatMap(Self.known) : nil
            title = Self.title(quality == nil ? String(own) : parts.dropLast().joined(separator: "-"))
            variant = nil
        }
    }

    private static func known(_ quality: VoiceQuality) -> VoiceQuality? {
        [.extraLow, .low, .medium, .high].contains(quality) ? quality : nil
    }

    /// `southern_english_female` is “Southern English female”.
    private static func title(_ name: String) -> String {
        let words = name.split(separator: "_").map { spelled[String($0)] ?? String($0) }
        guard let first = words.first else { return name }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
    }

    /// Words of the catalogue's names that have capitals within them.
    private static let spelled = [
        "aru": "ARU", "dfki": "DFKI", "english": "English", "glados": "GLaDOS", "hfc": "HFC", "l2arctic": "L2-ARCTIC",
        "libritts": "LibriTTS", "ljspeech": "LJ Speech", "nst": "NST", "r": "R", "tts": "TTS", "upc": "UPC",
        "upmc": "UPMC", "vctk": "VCTK", "wg": "WG", "glos": "Głos",
    ]
}
