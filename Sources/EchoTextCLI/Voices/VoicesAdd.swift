import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext voices add`.
struct VoicesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a neural voice from a file or a folder.",
        discussion: """
            Takes an archive of sherpa-onnx's “tts-models” release, a folder with a Piper voice, or a .onnx file with its \
            .onnx.json beside it, as Piper's voices are published. What a .onnx file lacks for sherpa-onnx is made. The \
            voice is tried before it is taken in; what you give stays as it is.
            """
    )

    @Argument(help: "The archive, folder or .onnx file.", completion: .file())
    var path: String

    @Flag(help: "Let it speak from now on when no voice is named.")
    var select = false

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await add() }
        }
    }

    private func add() async throws {
        let path = URL(filePath: path).standardizedFileURL.path
        try await Studio.with { studio in
            try await studio.installer.sweep()
            let phases = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
            defer { phases.clear() }
            let voice = try await studio.installer.add(path, named: nil) { phases.show($0) }
            phases.clear()
            _ = try await OptionalLibrary.use { try await $0.voices.note(.came(voice)) }
            if select { try await VoicesSelect.select(voice.voice) }
            try report(voice)
        }
    }

    private func report(_ voice: InstalledVoice) throws {
        if answer.json {
            let selected = select ? voice.voice.id : nil
            for answer in VoiceListingResponse.answers(about: [voice], selecting: selected) { try Answer.json(answer) }
            return
        }
        try Answer.text(voice.voice.id.rawValue)
        let licence = voice.licence.map { ", licence: \($0.name)" } ?? ""
        EchoTextCommand.say(
            Answer.harmless("installed “\(voice.voice.name)”, \(Answer.size(Int(voice.bytes)))\(licence)")
        )
    }
}

/// Shows the installation of a voice on one line of the terminal.
struct PhaseLine: Sendable {
    let isShown: Bool

    func show(_ phase: InstallPhase) {
        switch phase {
        case .extracting: show("unpacking…")
        case .validating: show("testing the voice…")
        }
    }

    func show(_ words: String) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(Answer.harmless(words, isLine: true))".utf8))
    }

    func clear() {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
