import Foundation

/// Why the vault cannot be opened, changed or written to.
package enum VaultError: UserFacingError, Equatable {
    // MARK: Unlocking

    /// The library is locked, and the operation needs it open.
    case locked
    /// `wait` starts now, if this attempt has caused one.
    case wrongPasscode(remainingFreeTries: Int, wait: Duration = .zero)
    case wrongRecoveryCode
    /// The typed recovery code has a wrong length, letter or check character.
    case misspeltRecoveryCode
    case lockedOut(wait: Duration)
    /// Another attempt is being checked just now.
    case attemptInProgress
    /// The library is being checked for damage just now.
    case checkInProgress
    /// The program runs in its own time namespace, in which a wait could be shortened.
    case clockMoved
    case weakPasscode(PasscodeWeakness)
    case passcodesDiffer
    case noPasscode
    case passcodeExists
    /// The typed recovery code differs from the one shown.
    case recoveryCodeNotConfirmed

    // MARK: Keys and files

    /// The device's secret is missing, or was made on another machine.
    case deviceSecretMissing
    /// The device's secret is readable by others, is a link or is not a regular file.
    case deviceSecretUnsafe
    case deviceSecretDamaged
    /// No recovery code was ever made, so only this machine's secret opens the library; `problem` says why it does not.
    indirect case noRecoveryCode(problem: VaultError?)
    /// This machine's own data about the library, in a folder next to it, cannot be written.
    case deviceFolderReadOnly
    /// Everything was done, but this machine could not remember how new the library is.
    case ageNotNoted
    /// The library's keys were erased, so that nobody can read it, but not all of its files could be deleted.
    case erasedFilesStay
    /// The disk that a backup was to be written to has no room for it.
    case backupDiskFull
    /// The file with the key slots is missing, was modified, or has an unknown format.
    case slotsMissing
    case slotsDamaged
    case slotsTooNew(version: Int)
    /// The folder, or something in it, is a link or belongs to someone else, or others can read its keys.
    case unsafeFolder
    /// The database is not encrypted, or the SQLite in use does not support encryption.
    case notEncrypted
    case wrongKey
    case databaseDamaged
    /// The database is missing or empty, though the library has been used.
    case databaseMissing
    case newerSchema
    /// An encrypted file is missing, truncated, modified or swapped with another.
    case contentDamaged
    case contentMissing
    case readOnly(ReadOnlyCause)
    /// Another EchoText process uses the library in a way that excludes this.
    case inUse
    /// The security chip that holds the device's secret is not there or does not answer.
    case tpmUnavailable
    /// The security chip has counted too many wrong passcodes.
    case tpmLockedOut
    /// Everything was erased while the library was used.
    case erased
    case system(errno: Int32)

    /// Whether it may concern one file or row that was to be read, while others can be read.
    package var isOfOnePart: Bool {
        switch self {
        case .contentDamaged, .contentMissing, .databaseDamaged, .unsafeFolder, .readOnly(.deviceFailed),
            .readOnly(.noPermission), .system(errno: EIO):
            true
        default: false
        }
    }

    package var failure: Failure {
        switch self {
        case .locked:
            Failure(.locked, "vault.locked", "The library is locked.")
                .suggesting(nil, inTerminal: "Unlock it with “echotext vault unlock”.")
        case .wrongPasscode(let tries, let wait):
            Failure(
                .forbidden,
                "vault.wrong-passcode",
                "That is not the passcode; \(Self.words(forTries: tries, wait))."
            )
            .suggesting(
                "A forgotten passcode is replaced by the recovery code.",
                inTerminal: "A forgotten passcode is replaced by “echotext vault recover” with the recovery code."
            )
            .retrying(after: wait == .zero ? nil : wait)
        case .wrongRecoveryCode:
            Failure(.forbidden, "vault.wrong-recovery-code", "That is not this library's recovery code.")
                .suggesting(Self.spelling)
        case .misspeltRecoveryCode:
            Failure(
                .invalidRequest,
                "vault.misspelt-recovery-code",
                "That is not a recovery code: a letter is missing, added or misread."
            )
            .suggesting(Self.spelling)
        case .lockedOut(let wait):
            Failure(
                .lockedOut,
                "vault.locked-out",
                "Too many wrong passcodes; the next try is possible in \(Self.words(for: wait))."
            )
            .suggesting(
                "Wait, or open the library with the recovery code.",
                inTerminal:
                    "Wait, or open the library by “echotext vault recover” with the recovery code, as after a backup was put back."
            )
            .retrying(after: wait)
        case .attemptInProgress:
            Failure(.tooManyRequests, "vault.attempt-in-progress", "Another passcode is being checked just now.")
                .suggesting("Try again in a few seconds.")
                .retrying(after: .seconds(1))
        case .checkInProgress:
            Failure(.busy, "vault.check-in-progress", "The library is being checked just now.")
                .suggesting("Wait until that check is done, or end it.")
        case .clockMoved:
            Failure(
                .locked,
                "vault.clock-moved",
                "EchoText was started with another clock than the system's, so it tries no passcode."
            )
            .suggesting("Start it outside of the time namespace or container that it runs in.")
        case .weakPasscode(let weakness):
            Failure(.invalidRequest, "vault.weak-passcode", weakness.message)
                .suggesting("Take 4 to 6 digits without a pattern, or a password of at least 12 characters.")
        case .passcodesDiffer:
            Failure(.invalidRequest, "vault.passcodes-differ", "The two passcodes are not the same.")
                .suggesting("Nothing was changed. Try again.")
        case .noPasscode:
            Failure(.conflict, "vault.no-passcode", "The library has no passcode.")
                .suggesting(
                    "Set one in the settings, under Security.",
                    inTerminal: "Set one with “echotext vault passcode set”."
                )
        case .passcodeExists:
            Failure(.conflict, "vault.passcode-exists", "The library has a passcode already.")
                .suggesting(
                    "Change it in the settings, under Security.",
                    inTerminal: "Change it with “echotext vault passcode change”."
                )
        case .recoveryCodeNotConfirmed:
            Failure(
                .invalidRequest,
                "vault.recovery-code-not-confirmed",
                "What was typed is not the recovery code that was shown."
            )
            .suggesting("Nothing was changed. Compare it with what you wrote down, and try again.")
        case .deviceSecretMissing:
            Failure(
                .locked,
                "vault.device-secret-missing",
                "This machine's secret, which opens the library, is missing or belongs to another machine."
            )
            .suggesting(Self.recovery, inTerminal: Self.recoveryInTerminal)
        case .deviceSecretUnsafe:
            Failure(
                .locked,
                "vault.device-secret-unsafe",
                "This machine's secret could be read or replaced by others, so it is not used."
            )
            .suggesting("See “echotext vault doctor”, which names what is wrong with it.")
        case .deviceSecretDamaged:
            Failure(.locked, "vault.device-secret-damaged", "This machine's secret is damaged.")
                .suggesting(Self.recovery, inTerminal: Self.recoveryInTerminal)
        case .noRecoveryCode(let problem):
            Failure(
                .locked,
                "vault.no-recovery-code",
                (problem.map { "\($0.failure.message) " } ?? "")
                    + "No recovery code was ever made for this library, so only the secret of its machine opens it."
            )
            .suggesting(
                "Put this machine's secret back from a backup, or open the library on the machine that made it.",
                inTerminal:
                    "Put the secret back into the folder that “echotext vault status” names, from a backup of this machine, or open the library on the machine that made it. Otherwise nobody can open it."
            )
        case .deviceFolderReadOnly:
            Failure(
                .inputOutput,
                "vault.device-folder-read-only",
                "The folder of this machine's secret cannot be written to."
            )
            .suggesting(Self.deviceFolder)
        case .ageNotNoted:
            Failure(
                .inputOutput,
                "vault.age-not-noted",
                "It was done, but the folder of this machine's secret cannot be written to, so that an older copy of the library would not be noticed."
            )
            .suggesting(Self.deviceFolder)
        case .erasedFilesStay:
            Failure(
                .inputOutput,
                "vault.erased-files-stay",
                "The library is erased and nobody can read it, but some of its files could not be deleted."
            )
            .suggesting(
                "Delete the library's folder yourself.",
                inTerminal:
                    "Delete the library's folder, or run “echotext erase-all” again once nothing holds the files."
            )
        case .backupDiskFull:
            Failure(.inputOutput, "vault.backup-disk-full", "The backup's disk is full, so none was made.")
                .suggesting("Make room there or choose another disk; the library is as it was.")
        case .slotsMissing:
            Failure(.libraryDamaged, "vault.slots-missing", "The files that hold the library's keys are missing.")
                .suggesting(Self.backup)
        case .slotsDamaged:
            Failure(
                .libraryDamaged,
                "vault.slots-damaged",
                "The files that hold the library's keys were damaged or changed."
            )
            .suggesting(Self.backup)
        case .slotsTooNew(let version):
            Failure(
                .incompatible,
                "vault.slots-too-new",
                "The library's keys are of version \(version), made by a newer EchoText."
            )
            .suggesting(Self.newer)
        case .unsafeFolder:
            Failure(
                .locked,
                "vault.unsafe-folder",
                "The library's folder, or something in it, is a link or belongs to someone else, or others can read its keys."
            )
            .suggesting(
                "Move the library to a folder of your own, without links, and take the rights of others away: chmod -R go-rwx on it."
            )
        case .notEncrypted:
            Failure(
                .incompatible,
                "vault.not-encrypted",
                "The library's database would not be encrypted, so it is not opened."
            )
            .suggesting(
                "Start EchoText by “./echotext”, which sets up what encrypts it.",
                inTerminal: "Run “./echotext” or “make deps”, which builds the encrypted SQLite, and try again."
            )
        case .wrongKey:
            Failure(.libraryDamaged, "vault.wrong-key", "The library's database does not open with this library's key.")
                .suggesting("The database and the keys are not of one library; put back both from one backup.")
        case .databaseDamaged:
            Failure(.libraryDamaged, "vault.database-damaged", "The library's database is damaged.")
                .suggesting(Self.backup)
        case .databaseMissing:
            Failure(.libraryDamaged, "vault.database-missing", "The library's database is missing or empty.")
                .suggesting(Self.backup)
        case .newerSchema:
            Failure(.incompatible, "vault.newer-schema", "The library was last used by a newer EchoText.")
                .suggesting(Self.newer)
        case .contentDamaged:
            Failure(.damaged, "vault.content-damaged", "A file of the library is damaged or was changed.")
                .suggesting(Self.damage, inTerminal: Self.damageInTerminal)
        case .contentMissing:
            Failure(.damaged, "vault.content-missing", "A file of the library is missing.")
                .suggesting(Self.damage, inTerminal: Self.damageInTerminal)
        case .readOnly(let cause):
            Failure(cause == .noPermission ? .cannotCreate : .inputOutput, "vault.read-only", cause.message)
                .suggesting(cause.suggestion, inTerminal: cause.suggestionInTerminal)
        case .inUse:
            Failure(.busy, "vault.in-use", "Another EchoText program is using the library.")
                .suggesting("Wait until it is done, or stop it, and try again.")
        case .tpmUnavailable:
            Failure(.incompatible, "vault.tpm-unavailable", "The machine's security chip (TPM) does not answer.")
                .suggesting(
                    "Open the library with the recovery code; “echotext vault doctor” looks at the chip.",
                    inTerminal: "See “echotext vault doctor”, or open the library with the recovery code."
                )
        case .tpmLockedOut:
            Failure(.locked, "vault.tpm-locked-out", "The machine's security chip (TPM) accepts no more passcodes.")
                .suggesting(Self.recovery, inTerminal: Self.recoveryInTerminal)
        case .erased:
            Failure(.inputOutput, "vault.erased", "The library was erased while this was done; nothing of it is kept.")
        case .system(let errno):
            Failure(.inputOutput, "vault.system", "The system refused: \(String(cString: strerror(errno))).")
                .suggesting("Make sure that the disk has room and that the library's folder is yours, and try again.")
        }
    }

    private static let deviceFolder =
        "Make that folder (ECHOTEXT_DEVICE, else “echotext-device” in your state folder) writable for you."
    private static let recovery = "Open the library with the recovery code."
    private static let recoveryInTerminal = "Open the library by “echotext vault recover” with the recovery code."
    private static let newer = "Use that version or a newer one; nothing was changed."
    private static let backup =
        "Stop EchoText and put back the newest backup; “echotext vault check” looks through the library."
    private static let damage =
        "Everything else can be used. The check under Settings, Security, lists all that is damaged."
    private static let damageInTerminal =
        "“echotext vault check --read-data” lists what is damaged; everything else can be used."
    private static let spelling = "Compare it with what you wrote down; capitals, spaces and hyphens do not matter."

    private static func words(forTries tries: Int, _ wait: Duration) -> String {
        if wait > .zero { return "the next try is possible in \(words(for: wait))" }
        return switch tries {
        case 0: "the next wrong one begins a wait"
        case 1: "1 more try before a wait"
        default: "\(tries) more tries before a wait"
        }
    }

    /// A wait in the largest suitable unit: “40 seconds”, “5 minutes”, “24 hours”; rounded up, so that nobody retries
    /// too early.
    private static func words(for wait: Duration) -> String {
        let seconds = max(1, Int((Double(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0))))
        func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
        if seconds <= 90 { return count(seconds, "second") }
        let minutes = (seconds + 59) / 60
        return minutes <= 90 ? count(minutes, "minute") : count((minutes + 59) / 60, "hour")
    }
}

extension ReadOnlyCause {
    var message: String {
        switch self {
        case .diskFull: "The disk is full, so nothing more can be kept."
        case .deviceFailed: "The disk failed to write, so nothing more is kept."
        case .noPermission: "The library's folder cannot be written to."
        case .damaged: "The library is damaged, so nothing more is kept until it is repaired."
        }
    }

    var suggestion: String {
        switch self {
        case .diskFull: "Make room on the disk and try again; what is kept can still be read."
        case .deviceFailed: "Make a backup to another disk, in the settings under Security."
        case .noPermission: "Make the folder writable for you and try again."
        case .damaged: "The check under Settings, Security, lists all that is damaged."
        }
    }

    var suggestionInTerminal: String? {
        switch self {
        case .diskFull, .noPermission: nil
        case .deviceFailed: "Make a backup with “echotext vault backup” to another disk."
        case .damaged: "See “echotext vault check”; “--repair” repairs what can be repaired."
        }
    }
}

/// A reason why a passcode is easy to guess.
package enum PasscodeWeakness: String, Sendable, Hashable {
    /// Neither 4 to 6 digits nor at least 12 characters.
    case tooShort
    /// All characters equal, an ascending or descending run, a repeated pair, a year or a date.
    case pattern
    /// Among those that are tried first.
    case common

    var message: String {
        switch self {
        case .tooShort: "A passcode has 4 to 6 digits, or is a password of at least 12 characters."
        case .pattern: "That passcode has a pattern that is guessed first."
        case .common: "That password is one of those that are guessed first."
        }
    }
}

/// Why the unlock agent, which keeps a library unlocked between commands, cannot be started or reached.
package enum AgentError: UserFacingError, Equatable {
    /// Its process could not be started, or ended before it was ready.
    case cannotStart(errno: Int32?)
    /// Another agent holds this library already.
    case alreadyRunning
    /// It is running, but does not respond.
    case notAnswering
    /// A message violates the protocol.
    case protocolViolation
    /// It belongs to another version of EchoText.
    case otherVersion
    /// The agent serves the most clients that it can.
    case tooManyLeases
    /// The socket belongs to another user's program.
    case foreignPeer

    package var failure: Failure {
        switch self {
        case .cannotStart(.some(let errno)):
            Failure(
                .processFailed,
                "agent.cannot-start",
                "What keeps the library unlocked could not be started: \(String(cString: strerror(errno)))."
            )
            .suggesting("Try again; single commands can still ask for the passcode.")
        case .cannotStart(nil):
            Failure(.processFailed, "agent.cannot-start", "What keeps the library unlocked could not be started.")
                .suggesting("Try again; single commands can still ask for the passcode.")
        case .alreadyRunning:
            Failure(.busy, "agent.already-running", "The library is unlocked already.")
        case .notAnswering:
            Failure(.processFailed, "agent.not-answering", "What keeps the library unlocked does not answer.")
                .suggesting("End the process “echotext vault agent”, and unlock the library again.")
        case .protocolViolation:
            Failure(
                .processFailed,
                "agent.protocol-violation",
                "What keeps the library unlocked sent something that makes no sense."
            )
            .suggesting("End the process “echotext vault agent”, and unlock the library again.")
        case .otherVersion:
            Failure(.unavailable, "agent.other-version", "The library was unlocked by another version of EchoText.")
                .suggesting(
                    "Lock it with that version, or end the process “echotext vault agent”, and unlock it again."
                )
        case .tooManyLeases:
            Failure(.busy, "agent.too-many-leases", "Too many EchoText programs use the library at once.")
                .suggesting("Wait until one of them is done, and try again.")
        case .foreignPeer:
            Failure(
                .unavailable,
                "agent.foreign-peer",
                "What claims to keep the library unlocked belongs to someone else, so it is not used."
            )
            .suggesting("See who owns the folder in which programs keep their sockets.")
        }
    }
}

/// Why an age file or an age identity cannot be used.
package enum AgeError: UserFacingError, Equatable {
    /// The header is invalid.
    case header
    /// None of the identities can decrypt it.
    case noMatch
    /// The header was changed after it had been sealed.
    case headerAltered
    /// The encrypted payload is truncated, modified, reordered or followed by other bytes.
    case payload
    /// The file is sealed for an unsupported kind of key.
    case unsupported
    /// The text is no identity or recipient.
    case badIdentity

    package var failure: Failure {
        switch self {
        case .header:
            Failure(.damaged, "age.header", "That is not an age file, or its beginning is damaged.")
                .suggesting("Take another copy of the file.")
        case .noMatch:
            Failure(.invalidContent, "age.no-match", "The age file was not sealed for this identity.")
                .suggesting("Use the identity it was sealed for.")
        case .headerAltered:
            Failure(.damaged, "age.header-altered", "The beginning of the age file was changed.")
                .suggesting("Take another copy of the file.")
        case .payload:
            Failure(.damaged, "age.payload", "The age file is cut short or was changed.")
                .suggesting("Take another copy of the file.")
        case .unsupported:
            Failure(
                .invalidContent,
                "age.unsupported",
                "The age file is sealed for a kind of key that is not supported here."
            )
            .suggesting("Use a version of the program “age” that knows it.")
        case .badIdentity:
            Failure(.invalidContent, "age.bad-identity", "That is not an age identity or recipient.")
                .suggesting("An identity begins with “AGE-SECRET-KEY-1”, a recipient with “age1”.")
        }
    }
}
