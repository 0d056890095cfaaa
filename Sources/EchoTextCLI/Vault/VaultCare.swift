import API
import ArgumentParser
import EchoText
import Foundation
import LibraryStore
import Outbound
import Workers

/// `echotext vault check`.
struct VaultCheck: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for damage; nothing damaged is ever deleted.",
        discussion: "Ends with exit code 76 when something is damaged."
    )

    @Flag(help: "Read every byte of every sealed file.")
    var readData = false

    @Flag(
        help: """
            Repair what can be repaired: the search index, what nothing points at, the cache of speech, and unfinished recordings that \
            have lost sound. Sealed files that this library does not know are moved to “blobs/aside” in its folder, and found \
            there when a newer database that needs them is put back.
            """
    )
    var repair = false

    @Flag(
        help: """
            Then delete the sealed files in “blobs/aside” that this library does not know, after a question. No other command does \
            that, except for the erasure of everything.
            """
    )
    var deleteAside = false

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(on vault: LibraryVault) async throws {
        var report = try await vault.check(readsData: readData, repairs: repair)
        var deleted = (files: 0, bytes: 0)
        if deleteAside, report.unknownAside > 0 {
            let files = Self.unknown(report.unknownAside, report.unknownAsideBytes)
            try await confirmation.confirm("Delete \(files) for good? A newer copy of the database may need them.")
            deleted = try await vault.deleteUnknownAside()
            (report.unknownAside, report.unknownAsideBytes) = (0, 0)
        }
        if json {
            var response = VaultReportResponse(report)
            if report.isAsideUsable {
                (response.unknownAside, response.unknownAsideBytes) = (report.unknownAside, report.unknownAsideBytes)
            }
            try CommandOutput.json(response)
        } else {
            var lines = ["\(report.items) recordings, \(report.contents) sealed files"]
            lines += report.lines.map { line in
                switch line.kind {
                case .fault: line.message
                case .leftover where line.code == "unassigned": "\(line.message); --repair moves them to “blobs/aside”"
                case .leftover: "\(line.message), which --repair removes"
                case .repair: "repaired: \(line.message)"
                }
            }
            if report.aside > 0 {
                let files = report.aside == 1 ? "1 sealed file is" : "\(report.aside) sealed files are"
                lines.append("\(files) read from “blobs/aside”, from where --repair puts back what is needed")
            }
            if report.unknownAside > 0 {
                let files = Self.unknown(report.unknownAside, report.unknownAsideBytes)
                lines.append("in “blobs/aside”: \(files); --delete-aside deletes them for good")
            }
            if !report.isAsideUsable {
                lines.append(
                    "“blobs/aside” in its folder is a link, no folder, or not yours: nothing is read from it or moved there; put a folder in its place"
                )
            }
            if deleted.files > 0 { lines.append("deleted: \(Self.unknown(deleted.files, deleted.bytes))") }
            if report.isSound { lines.append("nothing is damaged") }
            try CommandOutput.text(lines.joined(separator: "\n"))
        }
        guard report.isSound else { throw ExitCode(ExitStatus.damaged.rawValue) }
    }

    private static func unknown(_ files: Int, _ bytes: Int) -> String {
        "\(files) sealed file\(files == 1 ? "" : "s") that this library does not know, \(CommandOutput.size(bytes))"
    }
}

/// `echotext vault rekey`.
struct VaultRekey: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Give the library new keys, after a suspicion that someone has the old ones.",
        discussion: """
            Sealed files that the library does not know, such as those in “blobs/aside” in its folder, keep the old ones. Damaged \
            and missing files keep them too: they are named then, and it ends with exit code 76.
            """
    )

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    func run(on vault: LibraryVault) async throws {
        let current = try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd)
        var report = VaultReport()
        report.damaged = try await vault.rekey(passcode: current)
        let left = report.damaged.count
        if json {
            try CommandOutput.json(["damaged": report.damaged])
        } else if left == 0 {
            EchoTextCommand.say("the library has new keys; an age identity that was exported opens only older copies")
        } else {
            for line in report.lines { EchoTextCommand.say(line.message) }
            EchoTextCommand.say(
                "the library has new keys, but for \(left == 1 ? "1 sealed file" : "\(left) sealed files") with the old ones; "
                    + "once “echotext vault check” finds nothing damaged, give it new keys again"
            )
        }
        guard left == 0 else { throw ExitCode(ExitStatus.damaged.rawValue) }
    }
}

/// `echotext vault backup`.
struct VaultBackup: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the library, still encrypted, to a new folder.",
        discussion: """
            The copy opens with the recovery code on any machine, and by itself nowhere. To put it back, stop all of EchoText, \
            “echotext serve” too, move the library away, copy the copy to its place and run “echotext vault recover”. Ends with \
            exit code 76 when a file is missing in the library, and so in the copy.
            """
    )

    @Argument(help: "The folder to make.", completion: .directory)
    var folder: String

    @OptionGroup
    var answer: JSONOption

    func run(on vault: LibraryVault) async throws {
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw CommandError.contradiction(
                "There is something at that place already.",
                hint: "Name a folder that is not there yet."
            )
        }
        let draft = LibraryVault.backupDraft(of: folder)
        guard !FileManager.default.fileExists(atPath: draft) else {
            throw CommandError.contradiction(
                "“\(CommandOutput.harmless(draft))” is there: another copy is being made, or was broken off.",
                hint: "Delete that folder if no copy is being made, or name another one."
            )
        }
        let missing = try await vault.backup(to: folder)
        if try await !vault.status().hasRecoveryCode {
            EchoTextCommand.say("warning: \(VaultFinding(.noRecoveryCode).message)")
        }
        guard missing > 0 else { return }
        let files = missing == 1 ? "1 sealed file is" : "\(missing) sealed files are"
        EchoTextCommand.say("\(files) missing in the library, and in the copy; “echotext vault check” says more")
        throw ExitCode(ExitStatus.damaged.rawValue)
    }
}

/// `echotext vault export-identity`.
struct VaultExportIdentity: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-identity",
        abstract: "Print the key that the age program opens the sealed files with.",
        discussion: """
            Who has it can read every sound of the library: keep it as safe as the recovery code.

            Restore a file without EchoText: age --decrypt --identity identity.txt FILE | tar --extract
            """
    )

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    func run(on vault: LibraryVault) async throws {
        let current = try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd)
        let identities = try await vault.exportIdentities(passcode: current)
        if json { return try CommandOutput.json(["identities": identities]) }
        try CommandOutput.text(identities.joined(separator: "\n"))
    }
}

/// `echotext vault doctor`.
struct VaultDoctorCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what weakens the library's protection on this machine."
    )

    @OptionGroup
    var answer: JSONOption

    private struct Row: Encodable {
        let code: String
        let severity: VaultFinding.Severity
        let message: String
        let suggestion: String?
    }

    func run(on vault: LibraryVault) async throws {
        let settings = Settings.ofThisProcess
        let machine = VaultDoctor.Machine(
            proc: "/proc",
            sys: "/sys",
            confinement: VaultDoctor.Confinement(await WorkerIsolation.probe(), settings: settings),
            hasSecurityChip: settings.chip != nil
        )
        let findings = try await vault.findings(of: machine, home: settings.home)
        if json {
            return try CommandOutput.json(
                findings.map {
                    Row(code: $0.kind.rawValue, severity: $0.severity, message: $0.message, suggestion: $0.suggestion)
                }
            )
        }
        try CommandOutput.text(
            findings.map { finding in
                "\(finding.severity.rawValue): \(finding.message)" + (finding.suggestion.map { "\n    \($0)" } ?? "")
            }.joined(separator: "\n")
        )
    }
}

extension VaultDoctor.Confinement {
    /// A summary of `isolation`.
    init(_ isolation: WorkerIsolation, settings: Settings) {
        let isWhole = isolation.guards.isSuperset(of: .all)
        self =
            switch isolation.mode {
            case .bubblewrap: isWhole ? .whole : .sandboxOnly
            case .open(let reason) where isWhole: .kernelOnly(isRefused: reason == .sandboxRefused)
            case .open: .none(isAllowed: settings.allowsUnconfined)
            }
    }
}

/// `echotext erase-all`.
struct EraseAll: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase-all",
        abstract: "Destroy the library and its keys, for good.",
        discussion: """
            The keys go first, so that what a disk still remembers is noise. Voices stay. Nobody can undo it. The passcode is \
            asked for where there is one.
            """
    )

    @Option(
        help: ArgumentHelp("What has to be typed to confirm, for programs: “erase everything”.", valueName: "words")
    )
    var confirm: String?

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    static let words = "erase everything"

    func run(on vault: LibraryVault) async throws {
        let contents = await Self.contents(of: vault)
        var typed = confirm
        if typed == nil, isatty(STDIN_FILENO) == 1 {
            let what = contents ?? "All recordings, documents, speeches, practice and pronunciations"
            typed = try await TerminalInput.line(
                asking: "\(what) will be gone, with the history, all profiles and all settings. Type “\(Self.words)”: "
            )
        }
        guard typed == Self.words else { throw CommandError.notConfirmed }
        let isAsked = try await vault.asksBeforeErasing()
        let stays: VaultError?
        do {
            try await vault.erase(passcode: isAsked ? SecretInput.passcode(from: passcode.passcodeFd) : nil)
            if !json { EchoTextCommand.say("the library is gone" + (contents.map { ", with \($0)" } ?? "")) }
            stays = nil
        } catch VaultError.erasedFilesStay {
            stays = .erasedFilesStay
        }
        do {
            try await Settings.ofThisProcess.outboundNotes.erase()
        } catch {
            EchoTextCommand.say(
                "warning: the list of connections that were made while no library was open could not be deleted; delete it yourself"
            )
            EchoTextCommand.say("hint: It is “\(Settings.ofThisProcess.outboundFile)”.")
            throw stays ?? ExitCode(ExitStatus.inputOutput.rawValue)
        }
        if let stays { throw stays }
    }

    /// How many things of each kind would be deleted; `nil` where the library does not open without a passcode.
    private static func contents(of vault: LibraryVault) async -> String? {
        // A library that does not open now is erased all the same.
        guard let state = try? await vault.status().state, state.isOpen, state != .uninitialised else { return nil }
        return try? await vault.use { library in
            var (recordings, documents) = (AudioQuery(), DocumentQuery())
            (recordings.limit, documents.limit) = (1, 1)
            var counts = LibraryCounts()
            counts.recordings = try await library.audio.items(matching: recordings).total
            counts.documents = try await library.documents.documents(matching: documents).total
            try await counts.countUnfinished(of: library)
            try await counts.countOthers(of: library)
            return counts.words
        }
    }
}
