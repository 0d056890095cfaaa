extension TextPreparation {
    /// The steps of the preparation; each can be left out.
    package struct Steps: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Ligatures, full width and split accents in their plain form; soft hyphens and control characters dropped.
        package static let unicode = Steps(rawValue: 1 << 0)
        package static let abbreviations = Steps(rawValue: 1 << 1)
        /// Ranges, ordinals, fractions, Roman numerals, years, telephone and version numbers, minus signs.
        package static let numbers = Steps(rawValue: 1 << 2)
        package static let dates = Steps(rawValue: 1 << 3)
        package static let times = Steps(rawValue: 1 << 4)
        package static let currency = Steps(rawValue: 1 << 5)
        package static let units = Steps(rawValue: 1 << 6)
        /// Web and e-mail addresses.
        package static let addresses = Steps(rawValue: 1 << 7)
        /// Signs that stand for words, hashtags, and runs of punctuation.
        package static let symbols = Steps(rawValue: 1 << 8)
        /// The signs of Markdown and of tables drawn in text.
        package static let markup = Steps(rawValue: 1 << 9)
        package static let dictionary = Steps(rawValue: 1 << 10)

        package static let all = Steps(rawValue: 1 << 11 - 1)

        private static let named: [(name: String, step: Steps)] = [
            ("unicode", .unicode), ("abbreviations", .abbreviations), ("numbers", .numbers), ("dates", .dates),
            ("times", .times), ("currency", .currency), ("units", .units), ("addresses", .addresses),
            ("symbols", .symbols), ("markup", .markup), ("dictionary", .dictionary),
        ]

        /// The steps with these names, or `nil` when one of them is unknown.
        package init?(names: [String]) {
            self = []
            for name in names {
                guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
                insert(known.step)
            }
        }

        /// The stable names of the steps, in the order they are documented.
        package var names: [String] {
            Self.named.filter { contains($0.step) }.map(\.name)
        }
    }
}
