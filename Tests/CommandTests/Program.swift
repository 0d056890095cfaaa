import CProcess
import EchoText
import Foundation
import Synchronization
import Testing

/// The built `echotext`, run as a shell runs it.
struct Program {
    /// What a run left behind.
    struct Outcome {
        /// The exit code, or 128 and the signal that ended it.
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// It was still running when its time was over, and has been killed.
    struct TookTooLong: Error {
        let errors: String
    }

    /// Each run is a process of several threads: as many at once as a small machine bears.
    private static let turnstile = Turnstile(places: 3)

    var arguments: [String]
    /// Standard input; `nil` keeps it open without giving anything.
    var input: Data? = Data()
    var environment: [String: String] = [:]
    /// The working folder, and the home without voices or settings.
    let folder: TemporaryFolder
    /// What a shell writes behind a command, such as `>/dev/full`; variables are those of `environment`.
    var redirection = ""
    var limit = Duration.seconds(180)

    init(_ arguments: [String], in folder: TemporaryFolder) {
        self.arguments = arguments
        self.folder = folder
    }

    init(speak arguments: String..., in folder: TemporaryFolder) {
        self.init(["speak"] + arguments, in: folder)
    }

    /// Runs it to its end.
    ///
    /// - Parameter body: What is done while it runs; the rest of its output is read afterwards.
    /// - Throws: What `body` throws, the program being killed then, or ``TookTooLong``.
    @discardableResult
    func run(
        _ body: @escaping (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await Self.turnstile.pass { _ in
            let running = try RunningProgram(self)
            do {
                async let given: Void = running.give(input)
                try await body(running)
                async let output = running.output.rest()
                async let errors = running.errors.rest()
                await given
                let all = await (output: output, errors: String(decoding: errors, as: UTF8.self))
                let ending = await running.ending.value
                guard !ending.isKilled else { throw TookTooLong(errors: all.errors) }
                return Outcome(status: ending.status, output: all.output, errors: all.errors)
            } catch {
                running.kill()
                _ = await running.ending.value
                throw error
            }
        }
    }

    var command: [String] {
        ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" \(redirection)", folder.path, Fixtures.program] + arguments
    }

    /// Nothing of the machine but its programs: no voices, no sound output.
    var variables: [String] {
        var variables = [
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": folder.path,
            "ECHOTEXT_SHERPA_ONNX": Fixtures.library,
            "PULSE_SERVER": "unix:/nowhere",
            "ALSA_CONFIG_PATH": "/dev/null",
        ]
        variables.merge(environment) { _, new in new }
        return variables.map { "\($0)=\($1)" }
    }
}

/// One run of the program that has not ended yet.
final class RunningProgram: Sendable {
    struct Ending {
        let status: Int32
        let isKilled: Bool
    }

    let pid: pid_t
    let output: PipeEnd
    let errors: PipeEnd
    let ending: Task<Ending, Never>
    private let input: PipeEnd
    private let pidfd: Int32

    fileprivate init(_ program: Program) throws {
        var child = child_process()
        let status = withPointers(to: program.command) { arguments in
            withPointers(to: program.variables) { variables in
                child_spawn(&child, "/bin/sh", arguments, variables, 0)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOEXEC) }
        let (pid, pidfd, limit) = (child.pid, child.pidfd, Int32(program.limit / .milliseconds(1)))
        self.pid = pid
        self.pidfd = pidfd
        input = PipeEnd(child.input)
        output = PipeEnd(child.output)
        errors = PipeEnd(child.errors)
        ending = Task {
            await onThread {
                var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
                let isKilled = poll(&end, 1, limit) == 0
                if isKilled { child_kill(pidfd) }
                let status = child_wait(pid)
                let signal = child_signal(status)
                return Ending(status: signal > 0 ? 128 + signal : child_exit_code(status), isKilled: isKilled)
            }
        }
    }

    deinit { close(pidfd) }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) {
        var end = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        if poll(&end, 1, 0) == 0 { Glibc.kill(pid, number) }
    }

    fileprivate func kill() { child_kill(pidfd) }

    fileprivate func give(_ data: Data?) async {
        guard let data else { return }
        await input.write(data)
        input.close()
    }

    /// Gives `data` to its standard input, which stays open.
    func write(_ data: Data) async { await input.write(data) }

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

/// This side's end of a pipe.
final class PipeEnd: Sendable {
    /// −1 once closed.
    private let descriptor: Mutex<Int32>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    /// Everything up to the end.
    func rest() async -> Data { await read { _ in false } }

    /// The next bytes, until there are `count`, or the end.
    func first(_ count: Int) async -> Data { await read { $0.count >= count } }

    /// What comes until `text` has been read, or the end.
    func until(_ text: String) async -> Data { await read { $0.range(of: Data(text.utf8)) != nil } }

    func close() {
        let open = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if open >= 0 { Glibc.close(open) }
    }

    fileprivate func write(_ data: Data) async {
        let descriptor = descriptor.withLock(\.self)
        await onThread {
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { child_write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return }  // a program that reads no further may do so
                rest = rest.dropFirst(count)
            }
        }
    }

    private func read(until isEnough: @escaping @Sendable (Data) -> Bool) async -> Data {
        let descriptor = descriptor.withLock(\.self)
        return await onThread {
            var data = Data()
            var block = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(data) {
                let count = Glibc.read(descriptor, &block, block.count)
                guard count > 0 else { break }  // the end, also of a terminal whose program has gone
                data.append(contentsOf: block[..<count])
            }
            return data
        }
    }
}

/// Runs what blocks on a thread of its own.
func onThread<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

private func withPointers<Result>(
    to strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
}
