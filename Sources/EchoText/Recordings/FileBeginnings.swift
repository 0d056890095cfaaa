/// The sessions that interrupted imports have left of a file that is imported again, while its sound begins as theirs.
struct FileBeginnings: Sendable {
    private let sessions: any RecordingSessions
    private let left: [RecordingSession]

    private init(_ left: [RecordingSession], in sessions: any RecordingSessions) {
        (self.left, self.sessions) = (left, sessions)
    }

    /// Finds those of a file of the same name.
    ///
    /// - Parameters:
    ///   - order: What is imported now.
    ///   - sessions: The store of the sound.
    init(of order: RecordingOrder, in sessions: any RecordingSessions) async {
        // Where they cannot be listed, they stay.
        let all = (try? await sessions.sessions()) ?? []
        let left = all.filter { session in
            session.isInterruptedImport && !session.isUnreadable && session.samples > 0 && session.marks.isEmpty
                && session.order.sampleRate == order.sampleRate && session.order.sourceName == order.sourceName
                && order.sourceName != nil
        }
        self.init(left, in: sessions)
    }

    /// Those whose sound from the sample `start` on is `sound`, as far as they go.
    func beginning(with sound: [Int16], from start: Int) async -> FileBeginnings {
        var alike: [RecordingSession] = []
        for session in left {
            if await isAlike(session, sound, from: start) { alike.append(session) }
        }
        return FileBeginnings(alike, in: sessions)
    }

    private func isAlike(_ session: RecordingSession, _ sound: [Int16], from start: Int) async -> Bool {
        let end = min(session.samples, start + sound.count)
        var position = start
        while position < end {
            // A session that cannot be read stays, so that a person can decide about it.
            guard let piece = try? await sessions.samples(of: session.id, from: position, limit: end - position),
                !piece.isEmpty, sound[(position - start)...].starts(with: piece)
            else { return false }
            position += piece.count
        }
        return true
    }

    /// Discards those that are no longer than the whole, which has all of their sound.
    ///
    /// - Parameter samples: The length of the whole.
    /// - Returns: The discarded ones.
    func discard(within samples: Int) async -> [AudioItem.ID] {
        var discarded: [AudioItem.ID] = []
        for session in left where session.samples <= samples {
            // A session that somebody has continued, marked or renamed since, or keeps or discards just now, is theirs.
            guard (try? await sessions.session(session.id)) == session,
                (try? await sessions.discard(session.id)) != nil
            else { continue }
            discarded.append(session.id)
        }
        return discarded
    }
}
