import CProcess
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Workers

@Suite("Worker processes", .endsInTime)
struct WorkerProcessTests {
    @Test("leave nothing behind", arguments: WorkerIsolation.available)
    func residue(isolation: WorkerIsolation) async throws {
        // In a process of their own, so that no other test's descriptors count.
        let rounds = isolation.isSandboxed ? "40" : "200"
        let parent = await RunningFixture(.fixture("cycle", rounds, isolation.isSandboxed ? "sandboxed" : "bare"))
        var said: [UInt8] = []
        for await bytes in parent.output { said += bytes }
        let numbers = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 3)
        // The system's libraries may open one or two of their own; a leak would be one for each start.
        #expect(numbers[1] < numbers[0] + 10, "no descriptor may be left")
        #expect(numbers[2] == 0, "no child may be left")
    }

    @Test("can write their notes though nobody is left to read them")
    func canWriteTheir() throws {
        // As bubblewrap must, whose child waits for it.
        var child = child_process()
        let script = "read -r line; echo notes >&3 && exit 5"
        let failure = withArrayOfCStrings(["/bin/sh", "-c", script]) { arguments in
            withArrayOfCStrings([]) { environment in child_spawn(&child, "/bin/sh", arguments, environment, 1) }
        }
        try #require(failure == 0)
        for descriptor in [child.notes, child.output, child.errors] { close(descriptor) }
        #expect(child_write(child.input, "\n", 1) == 1)
        #expect(child_exit_code(child_wait(child.pid)) == 5)
        close(child.input)
        close(child.pidfd)
    }

    @Test("end with the program that started them", arguments: WorkerIsolation.available)
    func orphans(isolation: WorkerIsolation) async throws {
        let parent = await RunningFixture(.fixture("parent", isolation.isSandboxed ? "sandboxed" : "bare"))
        var said: [UInt8] = []
        for await bytes in parent.output {
            said += bytes
            // The greeting follows the number, and means that the worker is running.
            if said.count > FrameFormat.preamble.count, said.suffix(4) == FrameFormat.preamble.suffix(4) { break }
        }
        let number = said.prefix { $0 != UInt8(ascii: "\n") }
        let worker = try #require(Int32(String(decoding: number, as: UTF8.self)))
        let descriptor = child_descriptor(worker)
        try #require(descriptor >= 0, "the worker must be alive")
        defer { close(descriptor) }
        parent.process?.kill()
        await hasEnded(descriptor)
    }

    /// Returns when the process of the pidfd `descriptor` has ended.
    private func hasEnded(_ descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&source, 1, -1) < 0 {}
                continuation.resume()
            }
        }
    }
}

/// Runs a fixture that is not a worker and returns its output.
struct RunningFixture {
    let process: WorkerProcess?
    let output: AsyncStream<[UInt8]>

    init(_ launch: WorkerLaunch) async {
        // A fixture prints a line or two.
        let (output, said) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(64))
        self.output = output
        process = await withCheckedContinuation { continuation in
            WorkerProcess.start(launch, in: .none) { bytes in
                said.yield(Array(bytes))
                return true
            } started: { process in
                continuation.resume(returning: process)
            } ended: { _ in
                said.finish()
            }
        }
    }
}
