import EchoText
import EchoTextTesting
import Foundation
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

    /// It, or what it left behind with its output, was still running when its time was over, and has been killed.
    struct TookTooLong: Error {
        let errors: String
    }

    /// Each run is a process of several threads: as many at once as a small machine bears.
    private static let semaphore = PrioritySemaphore(places: 3)

    var arguments: [String]
    /// Standard input; `nil` keeps it open without giving anything.
    var input: Data? = Data()
    var environment: [String: String] = [:]
    /// The working folder, and the home without voices or settings.
    let folder: TemporaryFolder
    /// What a shell writes behind a command, such as `>/dev/full`; variables are those of `environment`.
    var redirection = ""
    /// Known to the shell as `$TERMINAL`; hung up when the program has ended.
    var terminal: Terminal?
    /// What runs the program, such as a tracer with its options; nothing but the shell when empty.
    var tracer: [String] = []
    var limit = Duration.seconds(60)

    init(_ arguments: [String], in folder: TemporaryFolder) {
        self.arguments = arguments
        self.folder = folder
    }

    init(speak arguments: String..., in folder: TemporaryFolder) {
        self.init(["speak"] + arguments, in: folder)
    }

    /// Runs what is to succeed.
    ///
    /// - Returns: Its output.
    func succeed(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = try await run()
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: sourceLocation)
        return outcome.text
    }

    /// Runs it to its end.
    ///
    /// - Parameter body: What is done while it runs; the rest of its output is read afterwards.
    /// - Returns: How it ended and what it said, without what `body` has read.
    /// - Throws: What `body` throws, the program being killed then, or ``TookTooLong``.
    @discardableResult
    func run(
        _ body: @escaping (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await Self.semaphore.pass { _ in
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
    }

    var command: [String] {
        ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" \(redirection)", folder.path] + tracer + [Fixtures.program]
            + arguments
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
        variables["TERMINAL"] = terminal?.path
        variables.merge(environment) { _, new in new }
        return variables.map { "\($0)=\($1)" }
    }
}
