import CProcess
import EchoText
import Foundation

/// A running program.
final class RunningProgram: Sendable {
    struct Termination {
        let status: Int32
        let isKilled: Bool
    }

    /// How long its output may take that is still to come when its time is over.
    private static let delay = Duration.seconds(5)

    /// Also the number of its process group, and of its session.
    let pid: pid_t
    let output: PipeEnd
    let errors: PipeEnd
    let ending: Task<Termination, Never>
    private let input: PipeEnd
    private let pidfd: Int32

    init(_ program: Program) throws {
        var child = child_process()
        let status = withArrayOfCStrings(program.command) { arguments in
            withArrayOfCStrings(program.variables) { variables in
                child_spawn(&child, "/bin/sh", arguments, variables, 0)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOEXEC) }
        let (pid, pidfd, limit) = (child.pid, child.pidfd, Int32(program.limit / .milliseconds(1)))
        self.pid = pid
        self.pidfd = pidfd
        let deadline = ContinuousClock.now + program.limit + Self.delay
        input = PipeEnd(child.input, until: deadline)
        output = PipeEnd(child.output, until: deadline)
        errors = PipeEnd(child.errors, until: deadline)
        let terminal = program.terminal
        ending = Task {
            await onThread {
                var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
                let isKilled = poll(&end, 1, limit) == 0
                // A tracer or a shell would leave the program behind.
                if isKilled { Glibc.kill(-pid, SIGKILL) }
                let status = child_wait(pid)
                terminal?.hangUp()
                let signal = child_signal(status)
                return Termination(status: signal > 0 ? 128 + signal : child_exit_code(status), isKilled: isKilled)
            }
        }
    }

    deinit { close(pidfd) }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) {
        if !hasEnded { Glibc.kill(pid, number) }
    }

    func kill() { child_kill(pidfd) }

    /// Kills it and all it has started that is still in its process group.
    func killAll() { Glibc.kill(-pid, SIGKILL) }

    var hasEnded: Bool {
        var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 0) != 0
    }

    /// Whether its output had no end in time: another process that outlived the program has it open.
    var isLate: Bool { output.isLate || errors.isLate }

    /// Kills it after `delay`, unless it has ended before.
    func kill(after delay: Duration) async {
        await onThread { [pidfd] in
            var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            if poll(&end, 1, Int32(delay / .milliseconds(1))) == 0 { child_kill(pidfd) }
        }
    }

    func give(_ data: Data?) async {
        guard let data else { return }
        await input.write(data)
        input.close()
    }

    /// Writes `data` to its standard input, which stays open.
    func write(_ data: Data) async { await input.write(data) }

    /// Waits until a file has `bytes` bytes; returns at the program's end, too.
    func untilThere(_ path: String, bytes: Int) async {
        await onThread { [pidfd] in
            var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            var status = stat()
            while stat(path, &status) != 0 || status.st_size < bytes, poll(&end, 1, 5) == 0 {}
        }
    }

    /// The bytes of the files in a folder, and below.
    static func size(of folder: String) -> Int {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return stat("\(folder)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// Waits until the files in a folder and its subfolders have `bytes` bytes; returns at the program's end, too.
    func untilFilled(_ folder: String, bytes: Int) async {
        await onThread { [pidfd] in
            var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            while Self.size(of: folder) < bytes, poll(&end, 1, 5) == 0 {}
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: The most memory that it had, in bytes, as far as that was seen.
    func peakMemoryUntilEnd() async -> Int {
        await onThread { [self, pidfd] in
            var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            var peak = 0
            repeat { peak = max(peak, peakMemory ?? 0) } while poll(&end, 1, 10) == 0
            return peak
        }
    }

    /// Waits until it handles interruptions and is idle; returns at its end, too.
    func untilAsleep() async throws {
        await onThread { [pid, pidfd] in
            var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            var looks = 0
            while looks < 10, poll(&end, 1, 5) == 0 {
                looks = Self.catchesInterrupts(pid) && Self.isAsleep(pid) ? looks + 1 : 0
            }
        }
    }

    private static func catchesInterrupts(_ pid: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = line.flatMap {
            UInt64($0.dropFirst("SigCgt:".count).trimmingCharacters(in: .whitespaces), radix: 16)
        }
        return (mask ?? 0) & (1 << UInt64(SIGINT - 1)) != 0
    }

    private static func isAsleep(_ pid: pid_t) -> Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.allSatisfy { task in
            let stat = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/stat", encoding: .utf8)) ?? ""
            return stat.split(separator: ")").last?.hasPrefix(" S") == true
        }
    }

    /// The processes that descend from it, such as its workers.
    var descendants: [pid_t] {
        var all: [pid_t] = []
        var parents = [pid]
        while let parent = parents.popLast() {
            let children = Self.children(of: parent)
            all += children
            parents += children
        }
        return all
    }

    private static func children(of pid: pid_t) -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            let list = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The most memory it has had, in bytes.
    var peakMemory: Int? {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(separator: " ").compactMap { Int($0) }.first }.map { $0 * 1_024 }
    }
}

/// Whether a process is there and alive.
func isAlive(_ pid: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
    return stat.split(separator: ")").last?.contains("Z") == false
}
