/// Finds the voice a person means.
package struct VoiceSearch: Sendable {
    let voices: [Voice]

    package init(among voices: [Voice]) {
        self.voices = voices
    }

    /// Finds a voice by its id, its id without the engine, or a language, ignoring case.
    ///
    /// A variant of an espeak-ng voice (`en-US+f3`) keeps its suffix.
    ///
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)`` with the nearest names.
    package func voice(called name: String) throws(SynthesisError) -> Voice {
        let parts = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let base = (parts.first ?? "").lowercased().replacing("_", with: "-")
        let found =
            voices.first { $0.id.rawValue == name } ?? voices.first { Self.normal($0.id.rawValue) == base }
            ?? voices.first { Self.shortName($0) == base } ?? voices.first { $0.language.lowercased() == base }
            ?? voices.first { LanguageTag.language(of: $0.language) == base }
        guard let found else { throw .voiceNotInstalled(.init(rawValue: name), similar: similar(to: base)) }
        guard parts.count == 2, found.engine == .espeakNG else { return found }
        return found.renamed(to: Voice.ID(rawValue: "\(found.id)+\(parts[1])"))
    }

    /// At most three ids that look like `name`, best first.
    private func similar(to name: String) -> [Voice.ID] {
        let distances = voices.map { voice in
            let names = [Self.normal(voice.id.rawValue), Self.shortName(voice), voice.name.lowercased()]
            return (voice.id, names.map { Self.distance(name, $0) }.min() ?? .max)
        }
        let limit = max(2, name.count / 3)
        return distances.filter { $0.1 <= limit }.sorted { ($0.1, $0.0.rawValue) < ($1.1, $1.0.rawValue) }.prefix(3)
            .map(\.0)
    }

    private static func normal(_ id: String) -> String { id.lowercased().replacing("_", with: "-") }

    private static func shortName(_ voice: Voice) -> String {
        normal(String(voice.id.rawValue.drop { $0 != "/" }.dropFirst()))
    }

    /// The Damerau–Levenshtein distance: how many insertions, deletions, substitutions and swaps of neighbors turn one
    /// string into the other.
    ///
    /// - SeeAlso: F. Damerau, “A technique for computer detection and correction of spelling errors”, CACM 7 (1964).
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one)
        let other = Array(other)
        var rows = [[Int]](repeating: Array(0...other.count), count: one.count + 1)
        for i in 0...one.count { rows[i][0] = i }
        for i in one.indices {
            for j in other.indices {
                var best = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                rows[i + 1][j + 1] = best
            }
        }
        return rows[one.count][other.count]
    }
}

extension Voice {
    fileprivate func renamed(to id: Voice.ID) -> Voice {
        Voice(
            id: id,
            name: givenName,
            language: language,
            engine: engine,
            speakers: speakers,
            speakerNames: speakerNames,
            sampleRate: sampleRate
        )
    }
}
