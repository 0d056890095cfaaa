package import EchoText
package import Foundation
import Synchronization

/// A history without a disk.
package actor MemoryHistory: TextHistory {
    private var kept: [HistoryEntry] = []
    private var damaged: Set<HistoryEntry.ID> = []
    private var next = 1

    package init() {}

    package func texts() -> SpokenTexts {
        SpokenTexts(
            entries: kept.filter { !damaged.contains($0.id) },
            unreadable: kept.map(\.id).filter(damaged.contains)
        )
    }

    /// Makes a text unreadable.
    package func damage(_ id: HistoryEntry.ID) { damaged.insert(id) }

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
    /// Whether nobody has saved the default profile.
    private var isUntouched = true

    package init() {}

    package func profiles() -> [VoiceProfile] {
        let others = kept.values.filter { $0.id != .standard }.sorted { $0.name.sortKey < $1.name.sortKey }
        return [kept[.standard] ?? .standard] + others
    }

    package func unreadable() -> Int { 0 }

    package func save(_ profile: VoiceProfile) throws {
        _ = try profile.prosody
        let others = kept.values.filter { $0.id != profile.id }
        guard !others.contains(where: { $0.name.sortKey == profile.name.sortKey }) else {
            throw LibraryError.profileNameTaken
        }
        kept[profile.id] = profile
        if profile.id == .standard { isUntouched = false }
    }

    package func change(
        _ id: VoiceProfile.ID,
        _ change: @escaping @Sendable (inout VoiceProfile) throws -> Void
    ) throws -> VoiceProfile {
        guard var profile = kept[id] else { throw LibraryError.profileNotFound }
        try change(&profile)
        try save(profile)
        return profile
    }

    package func suggest(_ voice: Voice.ID) {
        if isUntouched { kept[.standard]?.voice = voice }
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

/// Drafts in memory.
package actor MemoryDraft: DraftStore {
    private var kept: [Draft] = []

    package init() {}

    package func drafts() -> [Draft] { kept }

    package func save(_ draft: Draft) throws {
        let others = kept.filter { $0.page != draft.page }
        guard draft.text.isEmpty || others.count < Draft.most else {
            throw LibraryError.tooManyDrafts(limit: Draft.most)
        }
        kept = draft.text.isEmpty ? others : [draft] + others
    }

    package func rename(_ page: String, to name: String) -> Bool {
        guard let draft = kept.first(where: { $0.page == page }) else { return false }
        kept.removeAll { $0.page == name && name != page }
        guard let place = kept.firstIndex(of: draft) else { return false }
        kept[place] = Draft(page: name, text: draft.text)
        return true
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

    package func store(_ value: String?, for name: String, insteadOf seen: String?) throws -> Bool {
        let checked = try SettingsCatalogue.checked(value, for: name)
        guard kept[name] == seen else { return false }
        kept[name] = checked
        return true
    }

    package func reset() { kept = kept.filter { $0.key == SettingsCatalogue.dictionary.name } }
}

/// A batch without a disk.
package actor MemoryBatch: BatchStore {
    private var kept: [BatchEntry] = []
    private var starts: [BatchEntry.ID: (count: Int, position: Int)] = [:]
    private var unused = 1
    private var isHeld = false

    package init() {}

    package func entries() -> [BatchEntry] { kept }

    package func next() -> BatchEntry? { kept.first(where: \.isLeft) }

    package func counts() -> BatchCounts { BatchCounts(of: kept) }

    package func add(_ orders: [NarrationOrder]) -> [BatchEntry] {
        if !kept.contains(where: \.isLeft) { kept.removeAll { $0.state == .done } }
        let new = orders.enumerated().map { BatchEntry(id: unused + $0, order: $1) }
        unused += new.count
        kept += new
        return new
    }

    package func update(_ entry: BatchEntry) -> Bool {
        guard let index = kept.firstIndex(where: { $0.id == entry.id }) else { return false }
        kept[index] = entry
        if entry.state != .begun { starts[entry.id] = nil }
        return true
    }

    package func noteStart(of id: BatchEntry.ID, at position: Int) -> Int {
        let (count, reached) = starts[id] ?? (count: 0, position: 0)
        let new = position > reached ? 1 : count + 1
        starts[id] = (count: new, position: max(position, reached))
        return new
    }

    package func forgetStarts(of id: BatchEntry.ID) { starts[id]?.count = 0 }

    package func remove(_ choice: BatchChoice) -> [BatchEntry] {
        let isMeant: (BatchEntry) -> Bool =
            switch choice {
            case .one(let id): { $0.id == id }
            case .left: { $0.isLeft }
            case .ended: { !$0.isLeft }
            }
        defer { kept.removeAll(where: isMeant) }
        return kept.filter(isMeant)
    }

    package func hold() throws {
        guard !isHeld else { throw LibraryError.batchBusy }
        isHeld = true
    }

    package func release() { isHeld = false }
}

/// Speech without a disk.
package actor MemorySpeech: SpeechCache {
    private var kept: [Data: SpeechFragment] = [:]

    package init() {}

    package func speech(for request: SpeechRequest) -> SpeechFragment? {
        kept[request.canonical]?.moved(by: request.start)
    }

    package func keep(_ speech: [(request: SpeechRequest, fragment: SpeechFragment)]) {
        for (request, fragment) in speech {
            var rounded = fragment.moved(by: -request.start)
            rounded.clip = AudioClip(pcm16: fragment.clip.pcm16, sampleRate: fragment.clip.sampleRate)
            kept[request.canonical] = rounded
        }
    }

    package func size() -> Int { kept.values.reduce(0) { $0 + 2 * $1.clip.samples.count } }

    package func clear() { kept = [:] }
}

/// The size of a library in memory, which takes nothing of a disk.
package struct MemoryMeasure: LibraryMeasure {
    private let library: MemoryLibrary

    package init(_ library: MemoryLibrary) {
        self.library = library
    }

    package func size() async throws -> LibrarySize { await library.size() }
}

/// The registry of voices in memory.
package actor MemoryVoices: VoiceRegistry {
    private var kept: [Voice.ID: VoiceRecord] = [:]

    package init() {}

    package func records() -> [Voice.ID: VoiceRecord] { kept }

    package func update(_ id: Voice.ID, _ change: @escaping @Sendable (inout VoiceRecord) -> Void) -> VoiceRecord {
        var record = kept[id] ?? VoiceRecord(id: id)
        change(&record)
        kept[id] = record
        return record
    }
}

/// Remembers how long recognizers have needed, as long as it lives.
package actor MemoryPaces: RecognizerPaceStore {
    private var kept = RecognizerPaces()

    package init() {}

    package func paces() -> RecognizerPaces { kept }

    package func note(_ recognizer: Recognizer.ID, length: Double, took: Double) {
        kept.note(recognizer, length: length, took: took)
    }
}

/// Services without a disk.
package actor MemoryServices: TranscriptionServices {
    private var kept: [ServiceName: TranscriptionService] = [:]
    private var damaged: Set<ServiceName> = []

    package init() {}

    /// Makes a service unreadable.
    package func damage(_ name: ServiceName) { damaged.insert(name) }

    package func services() -> [TranscriptionService] {
        kept.values.filter { !damaged.contains($0.name) }.sorted { $0.name.text < $1.name.text }
    }

    package func unreadable() -> Int { kept.keys.count { damaged.contains($0) } }

    package func save(_ service: TranscriptionService) throws {
        guard kept[service.name] != nil || kept.count < TranscriptionServiceLimits.services else {
            throw TranscriptionServiceError.tooMany(limit: TranscriptionServiceLimits.services)
        }
        kept[service.name] = service
        damaged.remove(service.name)
    }

    package func delete(_ name: ServiceName) throws {
        guard kept.removeValue(forKey: name) != nil else { throw TranscriptionServiceError.notFound }
    }
}

/// The keys of the API for developers.
package actor MemoryAPIKeys: APIKeys {
    private var kept: [APIKeySecret: APIKey] = [:]

    package init() {}

    package func keys() -> [APIKey] { kept.values.sorted { $0.name.text < $1.name.text } }

    package func add(_ name: ItemName, at now: Date) throws -> APIKeySecret {
        guard !kept.values.contains(where: { $0.name == name }) else { throw APIKeyError.nameTaken }
        guard kept.count < APIKey.most else { throw APIKeyError.tooMany(limit: APIKey.most) }
        let secret = APIKeySecret()
        kept[secret] = APIKey(name: name, created: now)
        return secret
    }

    package func remove(_ name: ItemName) throws {
        guard let secret = kept.first(where: { $0.value.name == name })?.key else { throw APIKeyError.notFound }
        kept[secret] = nil
    }

    package func unreadable() -> Int { 0 }

    package func removeUnreadable() -> Int { 0 }

    package func use(_ secret: APIKeySecret, at now: Date) -> APIKey? {
        guard let key = kept[secret] else { return nil }
        if key.shouldRecordUse(at: now) { kept[secret] = APIKey(name: key.name, created: key.created, lastUsed: now) }
        return key
    }
}

/// Reports changes by other processes on a test's request.
package final class MemoryWatch: LibraryWatch {
    private let all = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
    private let next = Atomic(0)
    /// Yields an element for each new subscriber.
    package let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation

    package init() {
        (arrivals, arrive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many follow the changes.
    package var readers: Int { all.withLock { $0.count } }

    package func changesByOthers() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = next.wrappingAdd(1, ordering: .relaxed).newValue
            all.withLock { $0[id] = continuation }
            continuation.onTermination = { [weak self] _ in self?.all.withLock { $0[id] = nil } }
            arrive.yield()
        }
    }

    package func changeByAnother() {
        let readers = all.withLock { Array($0.values) }
        for reader in readers { reader.yield() }
    }
}
