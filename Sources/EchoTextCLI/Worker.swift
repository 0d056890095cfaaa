import ArgumentParser
import EchoText
import Foundation
import Workers

/// A command whose process has given up its rights.
protocol WorkerCommand: AsyncParsableCommand {}

/// `echotext worker`: the process that opens untrusted files apart from everything else.
struct Worker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work for another EchoText process.",
        shouldDisplay: false,
        subcommands: [Engine.self, Reader.self, Unpacker.self, Decoder.self, Recognition.self]
    )

    struct Engine: WorkerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Speak with one neural voice, over standard input and output.",
            shouldDisplay: false
        )

        func run() async throws {
            try await Studio.workerServer().run()
            _exit(0)  // An engine may still be running, and nobody waits for it.
        }
    }

    struct Reader: WorkerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read one document, over standard input and output.",
            shouldDisplay: false
        )

        func run() async throws {
            try await Studio.readerServer().run()
            _exit(0)
        }
    }

    struct Unpacker: WorkerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Unpack one archive, over standard input and output.",
            shouldDisplay: false
        )

        func run() async throws {
            try await Studio.unpackerServer().run()
            _exit(0)
        }
    }

    struct Decoder: WorkerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode one sound file, over standard input and output.",
            shouldDisplay: false
        )

        func run() async throws {
            try await Studio.decoderServer().run()
            _exit(0)
        }
    }

    struct Recognition: WorkerCommand {
        static let configuration = CommandConfiguration(
            commandName: "recognizer",
            abstract: "Recognize with one recogniser or detector of voices, over standard input and output.",
            shouldDisplay: false
        )

        func run() async throws {
            try await Studio.recognitionServer().run()
            _exit(0)  // A recognizer may still be running, and nobody waits for it.
        }
    }
}
