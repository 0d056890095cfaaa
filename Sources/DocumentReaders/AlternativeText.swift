/// The alternative text of a picture.
enum AlternativeText {
    private static let placeholders: Set<String> = [
        "alt", "alt text", "alt text not available", "alternate text", "alternate text not available",
        "alternative text", "alternative text not available", "abbildung", "bild", "decoration", "decorative",
        "decorative image", "divider", "graphic", "illustratsioon", "image", "image not available", "imagen", "img",
        "ornament", "photo", "picture", "pilt", "spacer", "missing alt text",
        "no alt text", "no alt text available", "no alternative text", "no alternative text available",
        "no description available",
    ]
    private static let fileExtensions: Set<String> = ["bmp", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]

    /// Whether a program wrote the words because nobody described the picture: such a sentence, or the file's name.
    static func isPlaceholder(_ words: String) -> Bool {
        let plain = words.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }.trimmed
        if placeholders.contains(plain) { return true }
        // “image 12”
        let name = plain.prefix { !$0.isNumber }
        if plain.hasPrefix("im"), name.count < plain.count, placeholders.contains(String(name).trimmed),
            plain.dropFirst(name.count).allSatisfy(\.isNumber)
        {
            return true
        }
        let parts = words.lowercased().split(separator: ".")
        return parts.count > 1 && !words.contains(" ")
            && parts.last.map { fileExtensions.contains(String($0)) } ?? false
    }
}
