import EchoText
import Testing

@testable import EchoTextCLI

@Suite("Exit statuses")
struct ExitStatusTests {
    /// As Documentation/Reference.md lists them.
    private static let statuses: [FailureKind: Int32] = [
        .invalidRequest: 64, .unsupportedMediaType: 64, .misdirected: 64, .conflict: 64,
        .invalidContent: 65, .tooLarge: 65,
        .missingInput: 66, .notFound: 66,
        .voiceNotFound: 69, .unavailable: 69, .incompatible: 69, .offline: 69, .remoteRefused: 69,
        .cannotCreate: 73,
        .inputOutput: 74,
        .busy: 75, .tooManyRequests: 75, .remoteFailed: 75, .remoteTimedOut: 75, .processFailed: 75,
        .damaged: 76, .libraryDamaged: 76,
        .locked: 77, .lockedOut: 77, .forbidden: 77, .unauthenticated: 77,
        .interrupted: 130,
        .internal: 1,
    ]

    @Test("are those of the reference, for every kind of failure")
    func complete() {
        #expect(Set(Self.statuses.keys) == Set(FailureKind.allCases))
        for (kind, status) in Self.statuses { #expect(ExitStatus(of: kind).rawValue == status, "\(kind)") }
    }

    private static let voice = Voice.ID(rawValue: "piper/a")

    private static let errors: [(error: any UserFacingError, status: Int32)] = [
        (SynthesisError.speedOutOfRange(9), 64), (CommandError.contradiction("A", hint: "B"), 64),
        (LibraryError.unknownSetting(name: "a", nearest: nil), 64), (ModelInstallError.builtIn(voice), 64),
        (PronunciationDictionaryError.misplacedStar(line: 1), 65), (DocumentError.encrypted(wrong: true), 65),
        (DocumentError.tooLarge(limit: 1), 65), (ModelInstallError.bomb, 65),
        (SynthesisError.nothingToSay, 66), (TextSourceError.notFound(file: "a"), 66), (LibraryError.jobNotFound, 66),
        (ModelInstallError.notInstalled(voice), 69), (EngineLibraryError.missing(.espeakNG), 69),
        (ModelDownloadError.offline, 69), (ModelDownloadError.untrusted(host: "a"), 69),
        (AudioFileError.isFolder(file: "a"), 73), (ExportError.folderNotEmpty, 73),
        (ExportError.folderUnfinished, 73),
        (ExportError.noteNotRemoved("UNFINISHED.txt"), 73),
        (VaultError.readOnly(.noPermission), 73),
        (AudioFileError.diskFull, 74), (VaultError.readOnly(.diskFull), 74), (VaultError.system(errno: 5), 74),
        (WorkerError.died(signal: 9), 75), (VaultError.inUse, 75), (ModelDownloadError.stalled(host: "a"), 75),
        (ModelDownloadError.unreachable(host: "a"), 75), (LibraryError.tooManyJobs(limit: 1), 75),
        (VaultError.contentDamaged, 76), (VaultError.databaseDamaged, 76), (AgeError.payload, 76),
        (VaultError.locked, 77), (VaultError.lockedOut(wait: .seconds(30)), 77), (VaultError.notEncrypted, 69),
        (VaultError.wrongPasscode(remainingFreeTries: 0), 77),
        (CommandError.interrupted, 130), (CommandError.notConfirmed, 1),
    ]

    @Test("are chosen by the kind of the error", arguments: errors)
    func chosen(_ end: (error: any UserFacingError, status: Int32)) {
        #expect(ExitStatus(of: end.error.kind).rawValue == end.status, "\(end.error)")
    }

    @Test("are tried for every kind of failure that a command ends with")
    func tried() {
        let unheard: Set<FailureKind> = [.unsupportedMediaType, .misdirected, .unauthenticated]
        #expect(Set(Self.errors.map(\.error.kind)) == Set(FailureKind.allCases).subtracting(unheard))
    }
}
