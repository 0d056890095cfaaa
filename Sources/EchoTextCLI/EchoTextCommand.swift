import ArgumentParser
import CProcess
import EchoText
import FileSystem
import Foundation
import Workers

@main
struct EchoTextCommand: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "echotext",
        abstract: "A speech studio that stays on your machine.",
        discussion: """
            Results go to standard output, everything said to you to standard error.

            Exit codes: 0 done; 64 the command line is wrong; 65 the input is not what it should be; 66 the input is \
            missing; 69 a voice, an engine or a loudspeaker is missing; 73 the output cannot be made; 74 reading or \
            writing failed; 75 the engine failed or did not respond, or something else is in the way, trying again may help; \
            76 what is kept is damaged; 77 the library is locked; 130 interrupted; 1 anything else.
            """,
        version: version,
        subcommands: [
            Speak.self, VoiceCommands.self, Serve.self, Import.self, DocumentCommands.self, Batch.self,
            LibraryCommands.self, Record.self, RecordingsCommands.self, Transcribe.self, TranscriptCommands.self,
            JobCommands.self,
            Play.self, QueueCommands.self, HistoryCommands.self,
            PracticeCommands.self, SpeechCommands.self, ProfileCommands.self, SettingsCommands.self,
            RecognizerCommands.self, OutboundCommands.self, KeyCommands.self,
            VaultCommands.self, ExportAll.self, EraseAll.self, Worker.self,
        ]
    )

    /// The main thread has a heap, and all others share one: synthesis computes much and allocates little.
    private static let heaps: Int32 = 2

    static func main() async {
        StandardStreams.fill()
        // Worker processes inherit the setting; a value that the person set is left as it is.
        if getenv("GLIBC_TUNABLES") == nil { share_heaps(heaps) }
        guard harden_process() == 0 else {
            say("error: the system does not let the program keep its memory to itself.")
            Foundation.exit(ExitStatus.failure.rawValue)
        }
        do {
            // This process still has a single thread here; a command would start others.
            try WorkerConfinement.ofThisProcess()
        } catch {
            report(error)
            Foundation.exit(ExitStatus(of: error.kind).rawValue)
        }
        signal(SIGPIPE, SIG_IGN)  // Writing to a closed pipe fails with an error instead of ending the program.
        do {
            try ArgumentBytes.check()
            var command = try parseAsRoot()
            // A worker has given up its rights by then, and needs no descriptors later.
            if !(command is any WorkerCommand) { try await EventLoop.open() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as any UserFacingError {
            report(error)
            Foundation.exit(ExitStatus(of: error.kind).rawValue)
        } catch is CancellationError {
            Foundation.exit(ExitStatus.interrupted.rawValue)
        } catch {
            leave(with: error)
        }
    }

    /// Exits as `exit(withError:)` does, but without the control characters of arguments that the message repeats.
    private static func leave(with error: any Error) -> Never {
        let code = exitCode(for: error)
        let words = fullMessage(for: error)
        if code == .success {
            if !words.isEmpty { _ = try? answer(words) }  // If standard output is closed, the message is lost.
        } else if !words.isEmpty {
            _ = try? FileHandle.standardError.write(contentsOf: Data("\(CommandOutput.harmless(words))\n".utf8))
        }
        Foundation.exit(code.rawValue)
    }

    /// Says what went wrong, and what to do about it.
    static func report(_ error: any UserFacingError) {
        let named = (error as? FileFailure)?.fileName ?? (error as? ReferenceFailure)?.subject
        let subject = named.map { "\($0): " } ?? ""
        say("error: \(subject)\(error.message)")
        if let suggestion = error.failure.inTerminal.suggestion { say("hint: \(suggestion)") }
        switch error as? VaultError {
        case .readOnly(.noPermission), .unsafeFolder, .databaseMissing, .erasedFilesStay:
            say("hint: The library's folder is “\(Settings.ofThisProcess.libraryFolder)”.")
        default: break
        }
    }

    /// Prints a result on standard output.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``, ``CommandError/outputClosed``.
    static func answer(_ text: String) throws {
        try answer(bytes: Data("\(text)\n".utf8))
    }

    /// Writes a result on standard output as it is.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``, ``CommandError/outputClosed``.
    static func answer(bytes: Data) throws {
        try StandardStreams.checkOutput()
        try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            try bytes.writeAll(to: STDOUT_FILENO) { CommandError.outputFailed(errno: $0) }
        }
    }

    /// Prints one line for the person on standard error.
    static func say(_ line: String) { show("echotext: \(CommandOutput.harmless(line, isLine: true))\n") }

    /// Writes on standard error as it is, such as a line that is drawn again.
    static func show(_ text: String) {
        // If standard error is closed, its disk is full or its terminal is gone, nobody sees it, and the work continues.
        _ = try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// The arguments as the system gave them.
enum ArgumentBytes {
    /// Checks them before they become strings, which would replace what is not UTF-8.
    ///
    /// - Throws: ``CommandError/argumentNotUTF8(number:)``.
    static func check() throws(CommandError) {
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[number] else { return }
            guard String(validatingCString: argument) != nil else { throw .argumentNotUTF8(number: number) }
        }
    }
}

/// A report that helps to find a fault and contains nothing from the library.
struct Diagnostics: Sendable {
    let settings: Settings
    let voices: [Voice]
    /// Those of this machine, without services.
    let recognizers: [Recognizer]
    let librarySession: LibrarySession

    var text: String {
        get async {
            let engines = Dictionary(grouping: voices, by: \.engine)
            let basic = recognizers.count { $0.engine == .pocketSphinx }
            let others = recognizers.count { $0.engine == .sherpaOnnx }
            let status = try? await librarySession.status()
            let lines =
                [
                    "EchoText \(EchoTextCommand.configuration.version)",
                    "system: \(Self.system), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(ProcessInfo.processInfo.physicalMemory / 1_048_576) MiB",
                ] + Voice.Engine.allCases.map { "\($0.rawValue): \(engines[$0]?.count ?? 0) voices" } + [
                    "recognisers: \(others), basic ones: \(basic)",
                    "sherpa-onnx: \(settings.sherpaFolder == nil ? "missing" : "present")",
                    "library: \(status.map { "\($0.state)" } ?? "unreadable"), protected by \(status?.protection?.rawValue ?? "nothing yet")",
                    "security chip: \(status?.usesSecurityChip == true ? "used" : "not used")",
                ]
            return lines.joined(separator: "\n") + "\n"
        }
    }

    private static var system: String {
        let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let name = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return name.map { String($0.dropFirst(12)).replacing("\"", with: "") }
            ?? ProcessInfo.processInfo.operatingSystemVersionString
    }
}
