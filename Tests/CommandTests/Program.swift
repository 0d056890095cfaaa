import EchoText
import EchoTextTesting
import Foundation
import Testing

/// The built `echotext`, run as a shell runs it.
struct Program {
    /// The result of a run.
    struct Outcome {
        /// The exit code, or 128 and the signal that ended it.
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The program, or a process with its output, was still running at the time limit, and was killed.
    struct TookTooLong: Error {
        let errors: String
    }

    /// Each run is a process of several threads: as many at once as a small machine bears.
    private static let semaphore = PrioritySemaphore(permits: 3)
    /// Whether the task runs meanwhile to a program: another one shares its place, and does not wait for one.
    @TaskLocal private static var hasPlace = false

    static let hasTracer = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    var arguments: [String]
    /// Standard input; `nil` keeps it open without data.
    var input: Data? = Data()
    var environment: [String: String] = [:]
    /// The working folder, and the home without voices or settings.
    let folder: TemporaryFolder
    /// Shell redirections, such as `>/dev/full`; they may use variables of `environment`.
    var redirection = ""
    /// Known to the shell as `$TERMINAL`; hung up when the program has ended.
    var terminal: Terminal?
    /// The command that runs the program, such as a tracer with its options; empty for the shell alone.
    var tracer: [String] = []
    /// For a busy machine too: its processes compete with the tests of all targets.
    var limit = Duration.seconds(180)

    init(_ arguments: [String], in folder: TemporaryFolder) {
        self.arguments = arguments
        self.folder = folder
    }

    init(speak arguments: String..., in folder: TemporaryFolder) {
        self.init(["speak"] + arguments, in: folder)
    }

    /// Runs a command that must succeed.
    ///
    /// - Returns: Its output.
    func succeed(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = try await run()
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
        return outcome.text
    }

    /// Runs the program to its end.
    ///
    /// - Parameter body: Runs meanwhile; the rest of the program's output is read afterwards.
    /// - Returns: The outcome, without the output that `body` has read.
    /// - Throws: What `body` throws, after the program was killed, or ``TookTooLong``.
    @discardableResult
    func run(
        _ body: @escaping (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        if Self.hasPlace { return try await runNow(body) }
        return try await Self.semaphore.pass { _ in
            try await Self.$hasPlace.withValue(true) { try await runNow(body) }
        }
    }

    /// Does `body` without waiting for a place before each program that it runs, one after another.
    static func inOnePlace(_ body: () async throws -> Void) async throws {
        if hasPlace { return try await body() }
        try await semaphore.pass { _ in
            try await $hasPlace.withValue(true) { try await body() }
        }
    }

    private func runNow(_ body: @escaping (RunningProgram) async throws -> Void) async throws -> Outcome {
        let running = try RunningProgram(self)
        do {
            async let given: Void = running.give(input)
            try await body(running)
            async let output = running.output.rest()
            async let errors = running.errors.rest()
            await given
            let all = await (output: output, errors: String(decoding: errors, as: UTF8.self))
            let ending = await running.ending.value
            guard !ending.isKilled, !running.isLate else { throw TookTooLong(errors: all.errors) }
            return Outcome(status: ending.status, output: all.output, errors: all.errors)
        } catch {
            running.killAll()
            _ = await running.ending.value
            throw error
        }
    }

    var command: [String] {
        ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" \(redirection)", folder.path] + tracer + [Fixtures.program]
            + arguments
    }

    /// Nothing of the machine except its programs: no voices, no sound output.
    var variables: [String] {
        var variables = [
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": folder.path,
            "ECHOTEXT_SHERPA_ONNX": Fixtures.library,
            "PULSE_SERVER": "unix:/nowhere",
            "ALSA_CONFIG_PATH": "/dev/null",
        ]
        variables["TERMINAL"] = terminal?.path
        variables.merge(environment) { _, new in new }
        return variables.map { "\($0)=\($1)" }
    }
}
