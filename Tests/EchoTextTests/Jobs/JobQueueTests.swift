import EchoText
import EchoTextTesting
import Testing

@Suite("A queue of jobs", .endsInTime)
struct JobQueueTests {
    private struct Job: Identifiable {
        let id: String
    }

    private typealias Queue = JobQueue<Job, Int>

    /// A queue in which the jobs wait in one lane.
    private func queue(_ ids: String..., limit: Int = 100) -> Queue {
        var queue = Queue(limit: limit)
        for id in ids { add(id, to: &queue) }
        return queue
    }

    private func add(_ id: String, to queue: inout Queue, in lane: String = "", isShort: Bool = false) {
        queue.take(Job(id: id))
        queue.lineUp(id, in: lane, isShort: isShort)
    }

    /// The jobs that wait in the only lane, in the order of their places.
    private func line(of queue: Queue) -> [String] { queue.positions.map(\.id) }

    /// Works on one job after another until none waits.
    private func turns(of queue: Queue) -> [String] {
        var queue = queue
        var turns: [String] = []
        while let id = queue.begin().first {
            turns.append(id)
            queue.remove(id)
            queue.free(id)
        }
        return turns
    }

    @Test func `begins one job after another, in the order in which they came`() {
        var queue = queue("a", "b", "c")
        let first = queue.begin()
        #expect(first == ["a"])
        #expect(queue.isAtWork("a"))
        #expect(queue.atWork == ["a"])
        let none = queue.begin()
        #expect(none.isEmpty)
        #expect(line(of: queue) == ["b", "c"])
        #expect(queue.positions.map(\.position) == [1, 2])
        queue.free("a")
        let second = queue.begin()
        #expect(second == ["b"])
        #expect(!queue.isAtWork("a"))
    }

    @Test func `begins the first job of each free lane, and counts positions in each`() {
        var queue = Queue(limit: 100)
        for (id, lane) in [("a", "x"), ("b", "x"), ("c", "y"), ("d", "y"), ("e", "x")] {
            add(id, to: &queue, in: lane)
        }
        let first = queue.begin()
        #expect(first == ["a", "c"])
        let positions = queue.positions.sorted { $0.id < $1.id }
        #expect(positions.map(\.id) == ["b", "d", "e"])
        #expect(positions.map(\.position) == [1, 1, 2])
        queue.free("c")
        let next = queue.begin()
        #expect(next == ["d"])
    }

    @Test func `keeps a lane until it is freed, also when its job was removed`() {
        var queue = queue("a", "b")
        let first = queue.begin()
        #expect(first == ["a"])
        let removed = queue.remove("a")
        #expect(removed?.id == "a")
        #expect(queue.isAtWork("a"))
        let none = queue.begin()
        #expect(none.isEmpty)
        queue.free("a")
        let next = queue.begin()
        #expect(next == ["b"])
    }

    @Test func `forgets the task of a job that is neither there nor worked on`() {
        var queue = queue("a", "b")
        for id in queue.begin() + ["b"] { queue.tasks[id] = Task {} }
        queue.remove("a")
        queue.remove("b")
        #expect(Array(queue.tasks.keys) == ["a"])
        queue.free("a")
        #expect(queue.tasks.isEmpty)
    }

    @Test func `gives a job that waits again its turn by when it came`() {
        var queue = queue("a", "b", "c")
        let first = queue.begin()
        queue.lineUp("a")
        #expect(line(of: queue) == ["a", "b", "c"])
        queue.free("a")
        let second = queue.begin()
        #expect(first == ["a"])
        #expect(second == ["a"])
    }

    @Test func `moves a job that is taken again behind the others`() {
        var queue = queue("a", "b")
        add("a", to: &queue)
        #expect(line(of: queue) == ["b", "a"])
    }

    @Test func `passes over a job that waits no longer`() {
        var queue = queue("a", "b")
        queue.leaveLine("a")
        #expect(line(of: queue) == ["b"])
        #expect(turns(of: queue) == ["b"])
    }

    @Test func `lets short jobs go before long ones, in the order in which they came`() {
        var queue = queue("first", "long", "longer")
        _ = queue.begin()
        for id in ["s1", "s2"] { add(id, to: &queue, isShort: true) }
        let expected = ["s1", "s2", "long", "longer"]
        #expect(line(of: queue) == expected)
        #expect(turns(of: queue).isEmpty, "the lane is not free")
        queue.free("first")
        #expect(turns(of: queue) == expected)
    }

    @Test func `lets a long job be overtaken only so often, however many short ones keep coming`() {
        var queue = queue("first", "long")
        _ = queue.begin()
        let most = Queue.mostOvertakings
        for number in 1...3 * most {
            add("s\(number)", to: &queue, isShort: true)
            #expect(line(of: queue).last == (number <= most ? "long" : "s\(number)"))
        }
        let expected = line(of: queue)
        #expect(expected.firstIndex(of: "long") == most)
        queue.free("first")
        var turns: [String] = []
        while let id = queue.begin().first {
            turns.append(id)
            queue.remove(id)
            if turns.count <= most { add("late \(turns.count)", to: &queue, isShort: true) }
            queue.free(id)
        }
        #expect(Array(turns.prefix(expected.count)) == expected, "each place was true")
    }

    @Test func `lets each long job be overtaken only so often by what came after it`() {
        var queue = queue("first", "long 1")
        _ = queue.begin()
        let most = Queue.mostOvertakings
        for number in 1..<most { add("early \(number)", to: &queue, isShort: true) }
        add("long 2", to: &queue)
        for number in 1...most { add("late \(number)", to: &queue, isShort: true) }
        let expected = line(of: queue)
        #expect(expected.firstIndex(of: "long 1") == most, "the first late one passes both")
        #expect(expected.last == "long 2")
        queue.free("first")
        #expect(turns(of: queue) == expected)
    }

    @Test func `counts no turns in other lanes as overtaking`() {
        var queue = Queue(limit: 100)
        for id in ["busy", "long"] { add(id, to: &queue, in: "x") }
        _ = queue.begin()
        for number in 1...2 * Queue.mostOvertakings {
            add("other \(number)", to: &queue, in: "y", isShort: true)
            for id in queue.begin() { queue.free(id) }
        }
        add("short", to: &queue, in: "x", isShort: true)
        queue.free("busy")
        let next = queue.begin()
        #expect(next == ["short"])
    }

    @Test func `takes only so many jobs`() throws {
        var queue = queue("a", limit: 2)
        try queue.checkRoom()
        add("b", to: &queue)
        let full = queue
        #expect(throws: LibraryError.tooManyJobs(limit: 2)) { try full.checkRoom() }
        queue.remove("a")
        try queue.checkRoom()
    }

    @Test func `begins nothing when it is closed`() {
        var queue = queue("a", "b")
        _ = queue.begin()
        queue.close()
        queue.free("a")
        #expect(queue.isClosed)
        #expect(turns(of: queue).isEmpty)
        #expect(line(of: queue) == ["b"])
    }

    @Test func `remembers the last ends, until a job is taken again`() {
        var queue = queue("a", limit: 2)
        for (number, id) in ["a", "b", "c"].enumerated() { queue.end(id, as: number) }
        #expect(queue.end(of: "a") == nil)
        #expect(queue.end(of: "b") == 1)
        #expect(queue.end(of: "c") == 2)
        let forgotten = queue.forgetEnd(of: "b")
        #expect(forgotten == 1)
        #expect(queue.end(of: "b") == nil)
        add("c", to: &queue)
        #expect(queue.end(of: "c") == nil)
    }

    @Test func `reports how a job ended to all who wait, and lets nobody wait for one that is not there`() async {
        let holder = Holder()
        await holder.take("a")
        async let first = holder.ending(of: "a")
        async let second = holder.ending(of: "a")
        await holder.waitUntilAsked(times: 2)
        await holder.end("a", as: 7)
        let reported = await [first, second]
        #expect(reported == [7, 7])
        let later = await holder.ending(of: "a")
        #expect(later == 7)
        let unknown = await holder.ending(of: "nobody")
        #expect(unknown == nil)
    }

    private actor Holder {
        private var queue = Queue(limit: 100)
        private var asked = 0
        private var untilAsked: (times: Int, CheckedContinuation<Void, Never>)?

        func take(_ id: String) { queue.take(Job(id: id)) }

        func ending(of id: String) async -> Int? {
            await withCheckedContinuation { continuation in
                queue.wait(for: id, continuation)
                asked += 1
                if let (times, reached) = untilAsked, asked == times {
                    untilAsked = nil
                    reached.resume()
                }
            }
        }

        func waitUntilAsked(times: Int) async {
            guard asked < times else { return }
            await withCheckedContinuation { untilAsked = (times, $0) }
        }

        func end(_ id: String, as status: Int) {
            queue.remove(id)
            queue.end(id, as: status)
        }
    }
}
