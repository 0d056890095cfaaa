package import EchoText
package import Foundation

/// A history without a disk.
package actor MemoryHistory: TextHistory {
    private var kept: [HistoryEntry] = []
    private var next = 1

    package init() {}

    package func entries() -> [HistoryEntry] { kept }

    package func add(_ text: String, at time: Date) {
        let old = kept.firstIndex { $0.text == text }.map { kept.remove(at: $0) }
        kept.insert(HistoryEntry(id: old?.id ?? next, text: text, spoken: time), at: 0)
        next += 1
        kept = Array(kept.prefix(TextHistoryLimits.entries))
    }

    package func delete(_ id: HistoryEntry.ID) throws {
        guard let index = kept.firstIndex(where: { $0.id == id }) else { throw LibraryError.textNotFound }
        kept.remove(at: index)
    }

    package func clear() { kept = [] }
}

/// Voice profiles without a disk.
package actor MemoryProfiles: VoiceProfiles {
    private var kept: [VoiceProfile.ID: VoiceProfile] = [.standard: .standard]
    private var choice: VoiceProfile.ID?

    package init() {}

    package func profiles() -> [VoiceProfile] {
        let others = kept.values.filter { $0.id != .standard }.sorted { $0.name.sortKey < $1.name.sortKey }
        return [kept[.standard] ?? .standard] + others
    }

    package func save(_ profile: VoiceProfile) throws {
        _ = try Prosody(speed: profile.speed, pitch: profile.pitch)
        let others = kept.values.filter { $0.id != profile.id }
        guard !others.contains(where: { $0.name.sortKey == profile.name.sortKey }) else {
            throw LibraryError.profileNameTaken
        }
        kept[profile.id] = profile
    }

    package func delete(_ id: VoiceProfile.ID) throws {
        guard id != .standard else { throw LibraryError.defaultProfileStays }
        guard kept.removeValue(forKey: id) != nil else { throw LibraryError.profileNotFound }
        if choice == id { choice = nil }
    }

    package func choose(_ id: VoiceProfile.ID) throws {
        guard kept[id] != nil else { throw LibraryError.profileNotFound }
        choice = id
    }

    package func chosen() -> ChosenProfile {
        ChosenProfile(profile: kept[choice ?? .standard] ?? .standard, isStandIn: false)
    }
}

/// Settings without a disk.
package actor MemorySettings: SettingsStore {
    private var kept: [String: String] = [:]

    package init() {}

    package func stored() -> [String: String] { kept }

    package func store(_ value: String?, for name: String) throws {
        kept[name] = try SettingsCatalogue.checked(value, for: name)
    }

    package func reset() { kept = [:] }
}
