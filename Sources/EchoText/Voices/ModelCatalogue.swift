import Foundation

/// The voices that can be downloaded: the list that comes with the program, and entries of a server or folder.
package struct ModelCatalogue: Sendable, Hashable {
    package enum SortOrder: String, Sendable, Hashable, CaseIterable {
        case name
        case size
        case quality
    }

    /// All voices of one language.
    package struct Group: Sendable, Hashable {
        /// A BCP 47 tag without a region: `en`.
        package let language: String
        package let entries: [CatalogueEntry]
    }

    /// Its entries, by id.
    package private(set) var entries: [CatalogueEntry]

    package init(_ entries: [CatalogueEntry]) {
        var seen: Set<CatalogueEntry.ID> = []
        self.entries = entries.filter { seen.insert($0.id).inserted }.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// The list that comes with the program.
    package static let bundled = ModelCatalogue(BundledCatalogue.entries)

    /// Merges newer entries into the catalogue: they add voices and correct sizes and checksums; entries that are no
    /// longer listed stay, since a mirror may have them.
    package func merged(with news: [CatalogueEntry]) -> ModelCatalogue {
        var known = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        for entry in news {
            var entry = entry
            entry.speakers = entry.speakers ?? known[entry.id]?.speakers
            entry.sampleRate = entry.sampleRate ?? known[entry.id]?.sampleRate
            // A folder's list has no checksums; a known checksum stays valid unless the archive differs.
            let before = known[entry.id]
            if entry.sha256 == nil, entry.archiveBytes == nil || entry.archiveBytes == before?.archiveBytes {
                (entry.archiveBytes, entry.sha256) = (before?.archiveBytes, before?.sha256)
            }
            known[entry.id] = entry
        }
        return ModelCatalogue(Array(known.values))
    }

    package var voices: [CatalogueEntry] { entries.filter { $0.kind == .piperVoice } }

    package subscript(_ id: CatalogueEntry.ID) -> CatalogueEntry? { entries.first { $0.id == id } }

    /// Finds an entry by its archive, id or name, ignoring case: `vits-piper-en_US-lessac-medium`,
    /// `piper/en_US-lessac-medium`, `en_US-lessac-medium`.
    ///
    /// - Throws: ``ModelDownloadError/unknownEntry(_:similar:)`` with entries that contain the same words.
    package func entry(called name: String) throws(ModelDownloadError) -> CatalogueEntry {
        let wanted = Self.normal(name)
        let found = entries.first { entry in
            Self.normal(entry.id.rawValue) == wanted || Self.normal(entry.archive) == wanted
                || entry.voice.map { Self.normal($0.rawValue) == wanted || Self.normal($0.shortName) == wanted } == true
        }
        guard let found else { throw .unknownEntry(String(name.prefix(100)), similar: similar(to: wanted)) }
        return found
    }

    /// Finds the entries that contain every word of `text` in their id, language tag or language names.
    ///
    /// - Parameters:
    ///   - text: Words separated by white space; without words all entries match.
    ///   - languages: Names of languages by tag, in the person's language, such as `["en": "English"]`.
    /// - Returns: A catalogue of the matching entries.
    package func matching(_ text: String, languages: [String: String] = [:]) -> ModelCatalogue {
        let words = text.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) }
        guard !words.isEmpty else { return self }
        return ModelCatalogue(
            entries.filter { entry in
                let names = [languages[entry.language], languages[LanguageTag.language(of: entry.language)]]
                let place = Self.folded(
                    ([entry.id.rawValue, entry.language] + names.compactMap(\.self)).joined(separator: " ")
                )
                return words.allSatisfy { place.contains($0) }
            }
        )
    }

    /// The entries of a language or narrower: `en-GB` of `en`.
    package func speaking(_ range: String) -> ModelCatalogue {
        ModelCatalogue(entries.filter { LanguageTag.matches($0.language, range: range) })
    }

    /// The voices of each language, languages by tag.
    package func groups(by order: SortOrder = .name) -> [Group] {
        Dictionary(grouping: voices) { LanguageTag.language(of: $0.language) }
            .map { Group(language: $0, entries: Self.sorted($1, by: order)) }
            .sorted { $0.language < $1.language }
    }

    /// The entries in `order`: the largest and best last, equal ones by name.
    package static func sorted(_ entries: [CatalogueEntry], by order: SortOrder) -> [CatalogueEntry] {
        let key = { (entry: CatalogueEntry) in (entry.name.lowercased(), entry.id.rawValue) }
        return entries.sorted { one, other in
            switch order {
            case .size where one.expectedBytes != other.expectedBytes: one.expectedBytes < other.expectedBytes
            case .quality where one.quality != other.quality:
                (one.quality ?? .medium) < (other.quality ?? .medium)
            default: key(one) < key(other)
            }
        }
    }

    private func similar(to name: String) -> [CatalogueEntry.ID] {
        let words = Set(name.split { "-/ ".contains($0) }.filter { $0 != "vits" && $0 != "piper" })
        let scored = voices.map { entry in
            (entry.id, words.count { word in Self.normal(entry.id.rawValue).contains(word) })
        }
        guard let best = scored.map(\.1).max(), best > 0 else { return [] }
        return scored.filter { $0.1 == best }.prefix(3).map(\.0)
    }

    private static func normal(_ name: String) -> String { name.lowercased().replacing("_", with: "-") }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).replacing("_", with: "-")
    }
}

extension Voice.ID {
    /// The id without the engine.
    fileprivate var shortName: String { String(rawValue.drop { $0 != "/" }.dropFirst()) }
}

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
        // A variant that was found before has its suffix already.
        if let known = voices.first(where: { $0.id.rawValue == name }) { return known }
        let parts = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let base = (parts.first ?? "").lowercased().replacing("_", with: "-")
        let found =
            voices.first { Self.normal($0.id.rawValue) == base } ?? voices.first { Self.shortName($0) == base }
            ?? voices.first { $0.language.lowercased() == base }
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

/// The catalogue as it was when the program was made: names, speakers, sample rates, and sizes and checksums where they were
/// known; `Scripts/make-catalogue` writes it.
enum BundledCatalogue {
    /// An entry of the file, with short keys.
    private struct Line: Decodable {
        let archive: String
        let speakers: Int?
        let rate: Int?
        let bytes: Int64?
        let sha256: String?
    }

    /// - Precondition: The program was built with a readable list, which a test checks.
    static let entries: [CatalogueEntry] = {
        let lines: [Line]
        do {
            lines = try JSONDecoder().decode([Line].self, from: Data(PackageResources.voice_catalogue_json))
        } catch {
            preconditionFailure("the list of voices in the program is damaged: \(error)")
        }
        return lines.compactMap { line in
            var entry = CatalogueEntry(archive: line.archive)
            entry?.speakers = line.speakers
            entry?.sampleRate = line.rate
            entry?.archiveBytes = line.bytes
            entry?.sha256 = line.sha256
            return entry
        }
    }()
}

/// The natural voice that set-up installs, which is the English default until another is selected.
package enum StarterVoice {
    package static let id = Voice.ID(rawValue: "piper/en_US-joe-medium")

    /// The default voice: the natural voice if it is completely installed, else the built-in one.
    ///
    /// - Parameter voices: The usable voices.
    /// - Returns: The id of a voice.
    package static func standard(among voices: some Sequence<Voice.ID>) -> Voice.ID {
        voices.contains(id) ? id : VoiceProfile.standard.voice
    }
}
