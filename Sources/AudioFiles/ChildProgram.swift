import CProcess
import Dispatch
import EchoText
import FileSystem
import Foundation
import Glibc
import Synchronization

/// Another program, running in parallel with no environment and no open files but those it is given.
///
/// It has a session of its own, so that what is typed at a terminal does not reach it.
final class ChildProgram: Sendable {
    /// The system would not start it; `errno` says why.
    struct NotStarted: Error {
        let errno: Int32
    }

    private let identifier: pid_t
    /// Whether the process is gone and its number may be another's.
    private let isGone = Mutex(false)

    /// The program called `name` in the first folder of `searchPath` that has it; only absolute folders count.
    static func path(of name: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - arguments: Without its own name.
    ///   - descriptors: What it has open: the first as 0, and so on; at most 16, and they stay open here.
    /// - Throws: ``NotStarted``.
    init(path: String, arguments: [String], descriptors: [Int32]) throws(NotStarted) {
        var started: pid_t = 0
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let failure = spawn_program(&started, path, words, descriptors, Int32(descriptors.count))
        guard failure == 0 else { throw NotStarted(errno: failure) }
        identifier = started
    }

    /// Whether the kernel can shut a program in.
    static var canBeConfined: Bool {
        let wanted = Int32(guard_landlock.rawValue | guard_filter.rawValue)
        return kernel_guards() & wanted == wanted
    }

    /// Starts the program, confined by the kernel: it can read libraries and itself, write one file, and start or reach nothing.
    ///
    /// It ends with this one, however that ends.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - arguments: Without its own name.
    ///   - descriptors: What it has open: the first as 0, and so on; at most 16, and they stay open here.
    ///   - output: The file that it may open again and write, among `descriptors`.
    ///   - processorSeconds: The longest processor time of its life, over all threads; 0 for no limit.
    /// - Throws: ``NotStarted``.
    init(
        confined path: String,
        arguments: [String],
        descriptors: [Int32],
        output: Int32,
        processorSeconds: UInt64 = 0
    ) throws(NotStarted) {
        let outcome = Mutex(Result<pid_t, NotStarted>.failure(NotStarted(errno: EAGAIN)))
        let isDecided = DispatchSemaphore(value: 0)
        // The kernel ends the program with the thread that started it, so that one stays as long.
        let keeper = Thread {
            let result = ChildProgram.start(path, arguments, descriptors, output, processorSeconds)
            outcome.withLock { $0 = result }
            isDecided.signal()
            if case .success(let identifier) = result { ChildProgram.waitForEnd(of: identifier) }
        }
        keeper.name = "echotext program"
        keeper.stackSize = 512 << 10
        keeper.start()
        isDecided.wait()
        identifier = try outcome.withLock(\.self).get()
    }

    private static func start(
        _ path: String,
        _ arguments: [String],
        _ descriptors: [Int32],
        _ output: Int32,
        _ processorSeconds: UInt64
    ) -> Result<pid_t, NotStarted> {
        var started: pid_t = 0
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let places = (libraryPlaces + [path]).map { strdup($0) }
        defer { for word in words + places { free(word) } }
        var wanted = confinement()
        wanted.address_space_bytes = maximumMemory
        wanted.processor_seconds = processorSeconds
        wanted.guards = Int32(guard_landlock.rawValue | guard_filter.rawValue)
        wanted.runs_program = 1
        wanted.output = output
        let failure = places.map { UnsafePointer($0) }.withUnsafeBufferPointer { places in
            wanted.readable = places.baseAddress
            wanted.readable_count = places.count
            return spawn_confined(&started, path, words, descriptors, Int32(descriptors.count), &wanted)
        }
        return failure == 0 ? .success(started) : .failure(NotStarted(errno: failure))
    }

    /// In bytes of addresses.
    private static let maximumMemory: UInt64 = 2 << 30
    /// Where the loader finds the libraries of any program; paths that are not there are none to read.
    private static let libraryPlaces = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
        "/dev/null",
        "/dev/urandom",
    ]

    /// Ends it at once; does nothing when it has ended.
    func kill() {
        isGone.withLock { isGone in
            if !isGone { _ = Glibc.kill(identifier, SIGKILL) }
        }
    }

    /// Waits for its end; call once.
    ///
    /// - Returns: Its exit code, or 128 and the signal that ended it.
    func wait() -> Int32 {
        // Its number stays its own until it is taken off the list below, under the lock.
        Self.waitForEnd(of: identifier)
        return isGone.withLock { isGone in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            isGone = true
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : 128 + signal
        }
    }

    /// Waits for the end of a program of ours, which stays in the list of processes.
    private static func waitForEnd(of identifier: pid_t) {
        var end = siginfo_t()
        while waitid(P_PID, id_t(identifier), &end, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }
}

/// A stream between this program and a child: a pair of sockets, which, unlike a pipe, can be written to without a signal
/// when the child has gone.
final class ChildChannel: Sendable {
    /// The child's end; closed by ``handOver()``.
    let childEnd: Int32
    private let ownEnd: Int32
    private let isOpen = Mutex((own: true, child: true))

    /// - Throws: ``AudioFileError/system(errno:)``.
    init() throws(AudioFileError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno: errno) }
        (ownEnd, childEnd) = (ends[0], ends[1])
    }

    deinit {
        handOver()
        end()
    }

    /// The child has its end; closes the copy here, so that the child's death is noticed.
    func handOver() {
        isOpen.withLock { isOpen in
            if isOpen.child { close(childEnd) }
            isOpen.child = false
        }
    }

    /// Nothing more comes.
    func end() {
        isOpen.withLock { isOpen in
            if isOpen.own { close(ownEnd) }
            isOpen.own = false
        }
    }

    /// Writes all of `bytes` as fast as the child takes them.
    ///
    /// - Throws: `CancellationError` when interrupted; ``AudioFileError/brokenPipe`` when the child takes no more.
    func write(_ bytes: UnsafeRawBufferPointer, _ interruption: WaitInterruption) throws {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        try bytes.writeAll {
            try interruption.waitUntilWritable(ownEnd)
            let count = send(ownEnd, $0.baseAddress, $0.count, flags)
            return count < 0 && errno == EAGAIN ? 0 : count
        } orThrow: {
            AudioFileError(errno: $0, file: "")
        }
    }

    /// Writes all of `bytes`, and blocks the thread while the child takes none.
    ///
    /// - Throws: ``AudioFileError/brokenPipe`` when the child has gone.
    func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        try bytes.writeAll {
            send(ownEnd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        } orThrow: {
            AudioFileError(errno: $0, file: "")
        }
    }

    /// The next bytes that the child writes, at most `limit`; none when it has closed its end.
    ///
    /// Blocks the thread until there are some.
    func read(upTo limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var received = -1
            repeat { received = recv(ownEnd, buffer.baseAddress, limit, 0) } while received < 0 && errno == EINTR
            count = max(0, received)
        }
    }

    /// The last `limit` bytes of all that the child writes until it closes its end.
    func tail(limit: Int) -> [UInt8] {
        var kept: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(ownEnd, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return kept }
            kept = (kept + buffer[..<count]).suffix(limit)
        }
    }
}

/// The end of a program's standard error, available once it has ended; never shown to anybody.
final class StandardErrorTail: Sendable {
    /// The most bytes that are kept.
    private static let longest = 16_384

    private let kept = Mutex("")
    private let isRead = DispatchGroup()

    init(_ channel: ChildChannel) {
        DispatchQueue(label: "standard error").async(group: isRead) {
            let bytes = channel.tail(limit: Self.longest)
            self.kept.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Returns the text, and blocks until the program has closed its standard error; call it when the program has ended.
    func text() -> String {
        isRead.wait()
        return kept.withLock(\.self)
    }
}

/// Wakes a thread that waits for a slow pipe, from any other thread.
final class WaitInterruption: Sendable {
    private let wakeUp: WakeUpPipe
    /// True once nothing may clear the interruption any more.
    private let isFinal = Mutex(false)

    init() throws(AudioFileError) {
        do {
            wakeUp = try WakeUpPipe()
        } catch {
            throw .system(errno: error.errno)
        }
    }

    var isSet: Bool { wakeUp.isCalled }

    /// Interrupts the present wait, or the next one.
    ///
    /// - Parameter forGood: Whether every later wait is interrupted too.
    func set(forGood: Bool = false) {
        isFinal.withLock { isFinal in
            isFinal = isFinal || forGood
            wakeUp.call()
        }
    }

    /// Forgets an interruption that came too late for what it was meant for.
    func clear() {
        isFinal.withLock { isFinal in
            guard !isFinal else { return }
            wakeUp.reset()
        }
    }

    /// Waits until `descriptor` takes bytes.
    ///
    /// - Throws: `CancellationError` when interrupted; ``AudioFileError/brokenPipe`` when nobody reads any more.
    func waitUntilWritable(_ descriptor: Int32) throws {
        let events: Int32
        do {
            events = try wakeUp.wait(for: descriptor, events: POLLOUT)
        } catch let error as SystemError {
            throw AudioFileError.system(errno: error.errno)
        }
        guard events & (POLLERR | POLLHUP) == 0 else { throw AudioFileError.brokenPipe }
    }

    /// Waits for `milliseconds`, or less when interrupted.
    ///
    /// - Throws: `CancellationError` when interrupted.
    func pause(milliseconds: Int32) throws { try wakeUp.pause(milliseconds: milliseconds) }
}
