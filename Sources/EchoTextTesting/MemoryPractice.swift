package import EchoText
package import Foundation

/// Speeches without a disk.
package actor MemorySpeeches: Speeches {
    private var kept: [Speech.ID: Speech] = [:]
    private var damaged: Set<Speech.ID> = []

    package init() {}

    /// Simulates damage to a speech.
    package func damage(_ id: Speech.ID) { damaged.insert(id) }

    package func unreadable() -> Int { kept.keys.count { damaged.contains($0) } }

    package func speeches() -> [Speech] {
        kept.values.filter { !damaged.contains($0.id) }
            .sorted { ($1.updated, $0.id.rawValue) < ($0.updated, $1.id.rawValue) }
    }

    package func speech(_ id: Speech.ID) -> Speech? { kept[id] }

    package func save(_ speech: Speech) { kept[speech.id] = speech }

    package func save(_ speech: Speech, insteadOf seen: Speech) -> Bool {
        guard kept[seen.id] == seen else { return false }
        kept[speech.id] = speech
        return true
    }

    package func delete(_ id: Speech.ID) throws {
        guard kept.removeValue(forKey: id) != nil else { throw SpeechError.notFound }
    }
}

/// Practice sessions without a disk.
package actor MemoryPractice: PracticeStore {
    private struct Take {
        var take: PracticeTake
        var sound: Data?
        var score: TakeScore?
    }

    /// In the order of their addition.
    private var kept: [PracticeRecord] = []
    private var texts: [PracticeRecord.ID: String] = [:]
    private var takes: [Take] = []
    private var hard: [HardSegment] = []
    private var damaged: Set<PracticeTake.ID> = []
    private var damagedSessions: Set<PracticeRecord.ID> = []
    private var refusal: (any Error)?
    private var updateRefusal: (any Error)?

    package init() {}

    /// Lets takes fail to be stored from now on.
    package func refuseTakes(with error: any Error) { refusal = error }

    /// Lets the progress of sessions fail to be stored from now on.
    package func refuseUpdates(with error: any Error) { updateRefusal = error }

    /// Simulates damage to the row of a session.
    package func damage(_ id: PracticeRecord.ID) { damagedSessions.insert(id) }

    package func unreadable() -> Int { kept.count { damagedSessions.contains($0.id) } }

    /// Simulates damage to the score of a take.
    package func damageScore(of id: PracticeTake.ID) { damaged.insert(id) }

    package func add(_ practice: PracticeRecord, text: String?) {
        kept.append(practice)
        texts[practice.id] = text
    }

    package func practices() -> [PracticeRecord] {
        let newest = kept.enumerated().sorted { ($0.element.updated, $0.offset) > ($1.element.updated, $1.offset) }
            .map(\.element).filter { !damagedSessions.contains($0.id) }
        return newest.filter { !$0.isFinished } + newest.filter(\.isFinished)
    }

    package func practice(_ id: PracticeRecord.ID) throws -> PracticeRecord { kept[try index(of: id)] }

    package func text(of id: PracticeRecord.ID) throws -> String? {
        _ = try index(of: id)
        return texts[id]
    }

    package func update(_ practice: PracticeRecord) throws {
        if let updateRefusal { throw updateRefusal }
        kept[try index(of: practice.id)] = practice
    }

    package func delete(_ id: PracticeRecord.ID) throws {
        kept.remove(at: try index(of: id))
        texts[id] = nil
        takes.removeAll { $0.take.practice == id }
    }

    package func add(_ take: PracticeTake, sound: Data) throws {
        _ = try index(of: take.practice)
        if let refusal { throw refusal }
        takes.append(Take(take: take, sound: sound))
    }

    package func takes(of id: PracticeRecord.ID) throws -> [PracticeTake] {
        _ = try index(of: id)
        return takes.map(\.take).filter { $0.practice == id }
    }

    package func take(_ id: PracticeTake.ID) throws -> PracticeTake { takes[try index(of: id)].take }

    package func sound(of id: PracticeTake.ID) throws -> any StoredSound {
        guard let sound = takes[try index(of: id)].sound else { throw PracticeError.takeNotFound }
        return MemorySound(data: sound)
    }

    package func score(of id: PracticeTake.ID) throws -> TakeScore? {
        guard !damaged.contains(id) else { throw VaultError.databaseDamaged }
        return takes[try index(of: id)].score
    }

    package func keep(_ score: TakeScore, of id: PracticeTake.ID, keepsSound: Bool) throws {
        let index = try index(of: id)
        takes[index].score = score
        takes[index].take.isScored = true
        (takes[index].take.score, takes[index].take.pace) = (score.score, score.pace.take)
        guard !keepsSound else { return }
        takes[index].sound = nil
        takes[index].take.hasSound = false
    }

    package func delete(_ id: PracticeTake.ID) throws { takes.remove(at: try index(of: id)) }

    package func hardSegments() -> [HardSegment] {
        hard.enumerated().sorted { ($0.element.next, $0.offset) < ($1.element.next, $1.offset) }.map(\.element)
    }

    package func keep(_ segment: HardSegment) {
        guard let index = hard.firstIndex(where: { $0.digest == segment.digest }) else { return hard.append(segment) }
        hard[index] = segment
    }

    package func removeHardSegment(_ digest: String) { hard.removeAll { $0.digest == digest } }

    private func index(of id: PracticeRecord.ID) throws(PracticeError) -> Int {
        guard let index = kept.firstIndex(where: { $0.id == id }) else { throw .sessionNotFound }
        return index
    }

    private func index(of id: PracticeTake.ID) throws(PracticeError) -> Int {
        guard let index = takes.firstIndex(where: { $0.take.id == id }) else { throw .takeNotFound }
        return index
    }
}
