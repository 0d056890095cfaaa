import ArgumentParser
import AudioFiles
import Books
import EchoText
import Foundation
import LibraryStore

/// `echotext export-all`.
struct ExportAll: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-all",
        abstract: "Write everything that is kept into a folder, in open formats.",
        discussion: """
            Each recording's sound, text, captions and times, and the file that it was imported from, as it came; each document's \
            file as it was given; the history, voice profiles, queue, settings and the list of unfinished narrations as JSON; \
            index.json and index.html list it all. The folder must be new or empty. What is exported is no longer protected: anybody who has the folder can read and \
            hear it. So the passcode is asked for again where there is one.

            Example:
              echotext export-all /media/stick/echotext --format flac
            """
    )

    @Argument(help: "A folder that is new or empty.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("How to store the sound.", valueName: "format"),
        completion: .list(ExportFormat.allCases.map(\.rawValue))
    )
    var format = ExportFormat.wav

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func prepare(_ vault: LibraryVault) async throws {
        guard try await vault.status().state.isOpen else { return }
        try await vault.reauthenticate(try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd))
    }

    func run(in library: Library) async throws {
        let sounds = LocalSoundFiles(searchPath: LibraryExport.searchPath)
        let archive = LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
        let isShown = !json && isatty(STDERR_FILENO) == 1
        let contents = try await archive.write(into: folder, as: format, at: Date()) { done, total in
            guard isShown else { return }
            FileHandle.standardError.write(Data("\r\u{1B}[K\(done) of \(total) recordings".utf8))
        }
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        if json { try Answer.json(contents) }
        let all = Self.counted(contents.recordings.count, contents.documents.count)
        EchoTextCommand.say("\(all) exported; these files are not protected any more")
        if contents.unreadable > 0 { EchoTextCommand.say(LibraryList.leftOut(contents.unreadable)) }
        if contents.unreadableTexts > 0 {
            let count = contents.unreadableTexts
            EchoTextCommand.say(
                "\(count) \(count == 1 ? "text" : "texts") of the history cannot be read and \(count == 1 ? "is" : "are") left out"
            )
        }
        let recordings = contents.recordings.count { $0.failure != nil }
        let documents = contents.documents.count { $0.failure != nil }
        if recordings + documents > 0 {
            EchoTextCommand.say(
                "Not whole, because damaged or missing: \(Self.counted(recordings, documents)); index.json says which, and “echotext vault check” more"
            )
        }
    }

    private static func counted(_ recordings: Int, _ documents: Int) -> String {
        "\(recordings) recording\(recordings == 1 ? "" : "s") and \(documents) document\(documents == 1 ? "" : "s")"
    }
}
