/// What is written otherwise in some countries of a language.
extension LanguageRules {
    /// The rules as they hold in a region, given as the further parts of a language tag in lower case.
    func adapted(to regions: some Sequence<Substring>) -> LanguageRules {
        var rules = self
        for region in regions.map(String.init) where code == "es" {
            if Self.pesoCountries.contains(region) { rules.money.currencies["$"] = Self.spanishPeso }
            guard Self.decimalPointCountries.contains(region) else { continue }
            rules.numerals.decimalMark = "."
            rules.numerals.groupMark = ","
            rules.signs.point = "punto"
        }
        return rules
    }

    /// Countries whose sign `$` is a peso.
    private static let pesoCountries: Set<String> = ["ar", "cl", "co", "cu", "do", "mx", "uy"]

    /// Spanish-speaking countries that write 1,234.5.
    private static let decimalPointCountries: Set<String> = [
        "do", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "sv", "us",
    ]
}
