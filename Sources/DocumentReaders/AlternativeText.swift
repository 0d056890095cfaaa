/// The alternative text of a picture.
enum AlternativeText {
    private static let placeholders: Set<String> = [
        "alt", "alt text", "alt text not available", "alternate text", "alternate text not available",
        "alternative text", "alternative text not available", "image not available", "missing alt text",
        "no alt text", "no alt text available", "no alternative text", "no alternative text available",
        "no description available",
    ]
    private static let fileExtensions: Set<String> = ["bmp", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]

    /// Whether a program wrote the words because nobody described the picture: such a sentence, or the file's name.
    static func isPlaceholder(_ words: String) -> Bool {
        let plain = words.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }.trimmed
        if placeholders.contains(plain) { return true }
        let parts = words.lowercased().split(separator: ".")
        return parts.count > 1 && !words.contains(" ")
            && parts.last.map { fileExtensions.contains(String($0)) } ?? false
    }
}
