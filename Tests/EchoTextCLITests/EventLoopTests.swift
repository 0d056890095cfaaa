import Foundation
import Testing

@testable import EchoTextCLI

@Suite("The event loop")
struct EventLoopTests {
    @Test("has its clocks once it is open, so that a timer set when descriptors are gone does not end the program")
    func isWhole() async {
        await #expect(processExitsWith: .success) {
            try await EventLoop.open()
            guard try clocks().isSuperset(of: [CLOCK_MONOTONIC, CLOCK_BOOTTIME]) else { exit(1) }
        }
    }
}

/// The clocks of this process's timers, which proc(5) lists.
private func clocks() throws -> Set<clockid_t> {
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
    let lines = numbers.flatMap { number in
        // The thread that listed the folder has ended by now.
        let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)) ?? ""
        return info.split(separator: "\n")
    }
    return Set(lines.filter { $0.hasPrefix("clockid:") }.compactMap { clockid_t($0.dropFirst("clockid: ".count)) })
}
