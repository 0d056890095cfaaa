/// The order of preference of recognisers: those the person named, then all others in listed order.
package struct RecognizerOrder: Sendable, Hashable {
    /// Each once.
    package let ids: [Recognizer.ID]

    package init(_ ids: [Recognizer.ID]) {
        var seen: Set<Recognizer.ID> = []
        self.ids = ids.filter { seen.insert($0).inserted }
    }

    /// From the text of a setting: ids with spaces between them.
    package init?(text: String) {
        let ids = text.split(separator: " ").map { Recognizer.ID(rawValue: String($0)) }
        guard ids.count <= 32, ids.allSatisfy(\.isPlain) else { return nil }
        self.init(ids)
    }

    /// The form stored in a setting.
    package var text: String { ids.map(\.rawValue).joined(separator: " ") }

    /// The recognisers in the order in which they are asked.
    ///
    /// - Parameters:
    ///   - recognizers: As they are listed.
    ///   - language: BCP 47; those that know it come first. `nil` or `und` when it is not known.
    /// - Returns: All of them.
    package func sorted(_ recognizers: [Recognizer], for language: String? = nil) -> [Recognizer] {
        let named = ids.compactMap { id in recognizers.first { $0.id == id } }
        let all = named + recognizers.filter { !ids.contains($0.id) }
        return all.filter { $0.knows(language) } + all.filter { !$0.knows(language) }
    }

    /// The recognisers that are asked where the person names none: a service only when the order has it.
    package func asked(of recognizers: [Recognizer], for language: String? = nil) -> [Recognizer] {
        sorted(recognizers, for: language).filter { $0.engine != .remote || ids.contains($0.id) }
    }
}

extension Recognizer.ID {
    /// The part after the engine.
    package var modelName: String { String(rawValue.drop { $0 != "/" }.dropFirst()) }

    /// Whether it is of a service elsewhere.
    package var isOfService: Bool { rawValue.hasPrefix("remote/") }

    /// Whether it is an engine and a name, without white space.
    fileprivate var isPlain: Bool {
        let parts = rawValue.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && rawValue.utf8.count <= 200
            && rawValue.allSatisfy { !$0.isWhitespace }
    }
}

extension SettingsStore {
    /// Reads the order of preference.
    package func recognizerOrder() async throws -> RecognizerOrder {
        RecognizerOrder(text: try await value(of: SettingsCatalogue.recognizers)) ?? RecognizerOrder([])
    }
}
