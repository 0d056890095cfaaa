import CProcess
import CSpawn
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Another program, running beside this one with no environment and no open files but those it is given.
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
