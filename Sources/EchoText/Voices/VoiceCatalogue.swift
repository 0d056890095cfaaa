import Foundation

/// The voices that can be downloaded: the list that comes with the program, and entries of a server or folder.
package struct VoiceCatalogue: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable, CaseIterable {
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
    package static let bundled = VoiceCatalogue(BundledCatalogue.entries)

    /// Merges newer entries into the catalogue: they add voices and correct sizes and checksums; entries that are no
    /// longer listed stay, since a mirror may have them.
    package func merged(with news: [CatalogueEntry]) -> VoiceCatalogue {
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
        return VoiceCatalogue(Array(known.values))
    }

    package var voices: [CatalogueEntry] { entries.filter { $0.kind == .piperVoice } }

    package subscript(_ id: CatalogueEntry.ID) -> CatalogueEntry? { entries.first { $0.id == id } }

    /// Finds an entry by its archive, id or name, ignoring case: `vits-piper-en_US-lessac-medium`,
    /// `piper/en_US-lessac-medium`, `en_US-lessac-medium`.
    ///
    /// - Throws: ``VoiceDownloadError/unknownEntry(_:similar:)`` with entries that contain the same words.
    package func entry(called name: String) throws(VoiceDownloadError) -> CatalogueEntry {
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
    package func matching(_ text: String, languages: [String: String] = [:]) -> VoiceCatalogue {
        let words = text.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) }
        guard !words.isEmpty else { return self }
        return VoiceCatalogue(
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
    package func speaking(_ range: String) -> VoiceCatalogue {
        VoiceCatalogue(entries.filter { LanguageTag.matches($0.language, range: range) })
    }

    /// The voices of each language, languages by tag.
    package func groups(by order: Order = .name) -> [Group] {
        Dictionary(grouping: voices) { LanguageTag.language(of: $0.language) }
            .map { Group(language: $0, entries: Self.sorted($1, by: order)) }
            .sorted { $0.language < $1.language }
    }

    /// The entries in `order`: the largest and best last, equal ones by name.
    package static func sorted(_ entries: [CatalogueEntry], by order: Order) -> [CatalogueEntry] {
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
