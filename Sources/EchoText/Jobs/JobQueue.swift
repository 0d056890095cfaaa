import OrderedCollections

/// The jobs of an actor: in which order they have their turn, which of them are worked on, and how the last ones ended.
///
/// A job waits in a lane, such as that of its recognizer; in each lane, one job is worked on at a time. The queue neither
/// starts tasks nor stores anything: the actor does, which holds it.
///
/// ```swift
/// queue.take(job)
/// queue.lineUp(job.id)
/// for id in queue.begin() { queue.tasks[id] = Task { await work(on: id) } }
/// ```
package struct JobQueue<Job: Identifiable, Status: Sendable> where Job.ID: Sendable {
    /// A job that waits for its turn.
    private struct Turn {
        let lane: String
        let isShort: Bool
        /// How many short jobs that came later had their turn meanwhile.
        var overtaken = 0
    }

    /// The jobs that were taken and not removed, in the order in which they came.
    var jobs: OrderedDictionary<Job.ID, Job> = [:]
    /// The last task of each job; that of a removed job is kept until its lane is free.
    package var tasks: [Job.ID: Task<Void, Never>] = [:]
    /// Whether no job has its turn any more.
    package private(set) var isClosed = false
    private let limit: Int
    private var turns: [Job.ID: Turn] = [:]
    /// The lanes of the jobs that are worked on.
    private var lanes: [Job.ID: String] = [:]
    private var ends: OrderedDictionary<Job.ID, Status> = [:]
    private var waiting: [Job.ID: [CheckedContinuation<Status?, Never>]] = [:]

    /// How many short jobs that come later may have their turn before a long one, each time that it waits.
    ///
    /// However many short ones keep coming, a long one is delayed by a few of them at most. Short ones among themselves, and long
    /// ones, have their turns in the order in which they came.
    package static var mostOvertakings: Int { 5 }

    /// - Parameter limit: How many jobs it takes, and how many ends it remembers.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    // MARK: - Taking

    /// - Throws: ``LibraryError/tooManyJobs(limit:)`` when it holds as many jobs as it may.
    package func checkRoom() throws {
        guard jobs.count < limit else { throw LibraryError.tooManyJobs(limit: limit) }
    }

    /// Adds a job behind all others, or moves it there; it does not wait for a turn yet.
    package mutating func take(_ job: Job) {
        ends[job.id] = nil
        turns[job.id] = nil
        jobs[job.id] = nil
        jobs[job.id] = job
    }

    /// Removes a job, whose task may still be running.
    @discardableResult
    package mutating func remove(_ id: Job.ID) -> Job? {
        turns[id] = nil
        if lanes[id] == nil { tasks[id] = nil }
        return jobs.removeValue(forKey: id)
    }

    /// Removes all jobs.
    package mutating func removeAll() {
        for id in jobs.keys { remove(id) }
    }

    /// Begins no job any more; jobs can still be taken, to be stored.
    package mutating func close() { isClosed = true }

    // MARK: - Turns

    /// Lets a job wait for its turn, at the place that its arrival gives it.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - lane: What one job at a time may use.
    ///   - isShort: Whether it may go before a long job that came earlier; see ``mostOvertakings``.
    package mutating func lineUp(_ id: Job.ID, in lane: String = "", isShort: Bool = false) {
        turns[id] = Turn(lane: lane, isShort: isShort)
    }

    /// Lets a job wait no longer.
    package mutating func leaveLine(_ id: Job.ID) { turns[id] = nil }

    /// Whether a job waits for its turn.
    package func isWaiting(_ id: Job.ID) -> Bool { turns[id] != nil }

    /// Gives the first waiting job of each free lane its turn.
    ///
    /// - Returns: The jobs to be worked on from now on.
    package mutating func begin() -> [Job.ID] {
        guard !isClosed else { return [] }
        var taken = Set(lanes.values)
        var begun: [Job.ID] = []
        for id in lines.compactMap(\.first) {
            guard let turn = turns[id], taken.insert(turn.lane).inserted else { continue }
            turns[id] = nil
            lanes[id] = turn.lane
            for earlier in jobs.keys.prefix(while: { $0 != id }) where turns[earlier]?.lane == turn.lane {
                turns[earlier]?.overtaken += 1
            }
            begun.append(id)
        }
        return begun
    }

    /// Frees the lane of a job that is not worked on any more.
    package mutating func free(_ id: Job.ID) {
        lanes[id] = nil
        if jobs[id] == nil { tasks[id] = nil }
    }

    /// Whether a job is worked on; that may have been removed meanwhile.
    package func isAtWork(_ id: Job.ID) -> Bool { lanes[id] != nil }

    /// The jobs that are worked on.
    package var atWork: [Job.ID] { Array(lanes.keys) }

    /// The jobs that wait, each with its position in its lane, from 1.
    package var positions: [(id: Job.ID, position: Int)] {
        lines.flatMap { line in line.enumerated().map { (id: $0.element, position: $0.offset + 1) } }
    }

    /// The jobs that wait in each lane, in the order of their turns.
    private var lines: [[Job.ID]] {
        var waiting: OrderedDictionary<String, [Job.ID]> = [:]
        for id in jobs.keys {
            if let turn = turns[id] { waiting[turn.lane, default: []].append(id) }
        }
        return waiting.values.map(ordered)
    }

    private func ordered(_ waiting: [Job.ID]) -> [Job.ID] {
        var line: [Job.ID] = []
        // How often each may still be overtaken.
        var long: [(id: Job.ID, left: Int)] = []
        for id in waiting {
            guard let turn = turns[id] else { continue }
            guard turn.isShort else {
                long.append((id, Self.mostOvertakings - turn.overtaken))
                continue
            }
            if let last = long.lastIndex(where: { $0.left <= 0 }) {
                line += long[...last].map(\.id)
                long.removeFirst(last + 1)
            }
            for index in long.indices { long[index].left -= 1 }
            line.append(id)
        }
        return line + long.map(\.id)
    }

    // MARK: - Ends

    /// Remembers how a job has ended, and resumes all who wait for it.
    package mutating func end(_ id: Job.ID, as status: Status) {
        ends[id] = status
        if ends.count > limit { ends.removeFirst() }
        for continuation in waiting.removeValue(forKey: id) ?? [] { continuation.resume(returning: status) }
    }

    /// How a job has ended; `nil` also when more than the limit have ended since.
    package func end(of id: Job.ID) -> Status? { ends[id] }

    /// Forgets how a job has ended.
    @discardableResult
    package mutating func forgetEnd(of id: Job.ID) -> Status? { ends.removeValue(forKey: id) }

    /// Resumes `continuation` when a job ends; at once with `nil` for one that is neither there nor remembered.
    package mutating func wait(for id: Job.ID, _ continuation: CheckedContinuation<Status?, Never>) {
        guard ends[id] == nil, jobs[id] != nil else { return continuation.resume(returning: ends[id]) }
        waiting[id, default: []].append(continuation)
    }
}
