import Foundation

/// Why the vault cannot be opened, changed or written to.
package enum VaultError: UserFacingError, Equatable {
    // MARK: Unlocking

    /// The library is locked, and the operation needs it open.
    case locked
    case wrongPasscode(remainingFreeTries: Int)
    case wrongRecoveryCode
    /// The typed recovery code has a wrong length, letter or check character.
    case misspeltRecoveryCode
    case lockedOut(wait: Duration)
    /// Another attempt is being checked just now.
    case attemptInProgress
    /// The program runs in a time namespace of its own, in which a wait could be made to end.
    case clockMoved
    case weakPasscode(PasscodeWeakness)
    case passcodesDiffer
    case noPasscode
    case passcodeExists
    /// The typed recovery code is not the one that was shown.
    case recoveryCodeNotConfirmed

    // MARK: Keys and files

    /// The device's secret is missing, or was made on another machine.
    case deviceSecretMissing
    /// The device's secret can be read by others, is a link or is not a plain file.
    case deviceSecretUnsafe
    case deviceSecretDamaged
    /// What this machine remembers of the library, in a folder beside it, cannot be written.
    case deviceFolderReadOnly
    /// The file with the key slots is missing, was changed by someone, or is not what this version reads.
    case slotsMissing
    case slotsDamaged
    case slotsTooNew(version: Int)
    /// The folder, or something in it, is a link or belongs to someone else.
    case unsafeFolder
    /// The database is not an encrypted one, or the SQLite in use cannot encrypt.
    case notEncrypted
    case wrongKey
    case databaseDamaged
    case newerSchema
    /// A sealed file is missing, cut short, changed or another's.
    case contentDamaged
    case contentMissing
    case readOnly(ReadOnlyCause)
    /// Another EchoText process uses the library in a way that excludes this.
    case inUse
    /// The security chip that holds the device's secret is not there or does not answer.
    case tpmUnavailable
    /// The security chip has counted too many wrong passcodes.
    case tpmLockedOut
    case system(errno: Int32)

    package var code: String {
        switch self {
        case .locked: "vault.locked"
        case .wrongPasscode: "vault.wrong-passcode"
        case .wrongRecoveryCode: "vault.wrong-recovery-code"
        case .misspeltRecoveryCode: "vault.misspelt-recovery-code"
        case .lockedOut: "vault.locked-out"
        case .attemptInProgress: "vault.attempt-in-progress"
        case .clockMoved: "vault.clock-moved"
        case .weakPasscode: "vault.weak-passcode"
        case .passcodesDiffer: "vault.passcodes-differ"
        case .noPasscode: "vault.no-passcode"
        case .passcodeExists: "vault.passcode-exists"
        case .recoveryCodeNotConfirmed: "vault.recovery-code-not-confirmed"
        case .deviceSecretMissing: "vault.device-secret-missing"
        case .deviceSecretUnsafe: "vault.device-secret-unsafe"
        case .deviceSecretDamaged: "vault.device-secret-damaged"
        case .deviceFolderReadOnly: "vault.device-folder-read-only"
        case .slotsMissing: "vault.slots-missing"
        case .slotsDamaged: "vault.slots-damaged"
        case .slotsTooNew: "vault.slots-too-new"
        case .unsafeFolder: "vault.unsafe-folder"
        case .notEncrypted: "vault.not-encrypted"
        case .wrongKey: "vault.wrong-key"
        case .databaseDamaged: "vault.database-damaged"
        case .newerSchema: "vault.newer-schema"
        case .contentDamaged: "vault.content-damaged"
        case .contentMissing: "vault.content-missing"
        case .readOnly: "vault.read-only"
        case .inUse: "vault.in-use"
        case .tpmUnavailable: "vault.tpm-unavailable"
        case .tpmLockedOut: "vault.tpm-locked-out"
        case .system: "vault.system"
        }
    }

    package var message: String {
        switch self {
        case .locked: "The library is locked."
        case .wrongPasscode(let tries) where tries > 0: "That is not the passcode; \(tries) more tries before a wait."
        case .wrongPasscode: "That is not the passcode."
        case .wrongRecoveryCode: "That is not this library's recovery code."
        case .misspeltRecoveryCode: "That is not a recovery code: a letter is missing, added or misread."
        case .lockedOut(let wait): "Too many wrong passcodes; the next try is possible in \(Self.words(for: wait))."
        case .attemptInProgress: "Another passcode is being checked just now."
        case .clockMoved: "EchoText was started with another clock than the system's, so it tries no passcode."
        case .weakPasscode(let weakness): weakness.message
        case .passcodesDiffer: "The two passcodes are not the same."
        case .noPasscode: "The library has no passcode."
        case .passcodeExists: "The library has a passcode already."
        case .recoveryCodeNotConfirmed: "What was typed is not the recovery code that was shown."
        case .deviceSecretMissing:
            "This machine's secret, which opens the library, is missing or belongs to another machine."
        case .deviceSecretUnsafe: "This machine's secret could be read or replaced by others, so it is not used."
        case .deviceSecretDamaged: "This machine's secret is damaged."
        case .deviceFolderReadOnly: "The folder of this machine's secret cannot be written to."
        case .slotsMissing: "The library's key slots are missing."
        case .slotsDamaged: "The library's key slots were damaged or changed."
        case .slotsTooNew(let version): "The library's key slots are of version \(version), made by a newer EchoText."
        case .unsafeFolder: "The library's folder, or something in it, is a link or belongs to someone else."
        case .notEncrypted: "The library's database would not be encrypted, so it is not opened."
        case .wrongKey: "The library's database does not open with this library's key."
        case .databaseDamaged: "The library's database is damaged."
        case .newerSchema: "The library was last used by a newer EchoText."
        case .contentDamaged: "A sealed file of the library is damaged or was changed."
        case .contentMissing: "A sealed file of the library is missing."
        case .readOnly(let cause): cause.message
        case .inUse: "Another EchoText program is using the library."
        case .tpmUnavailable: "The machine's security chip (TPM) does not answer."
        case .tpmLockedOut: "The machine's security chip (TPM) accepts no more passcodes."
        case .system(let errno): "The system refused: \(String(cString: strerror(errno)))."
        }
    }

    package var suggestion: String? {
        switch self {
        case .locked: "Unlock it with “echotext vault unlock”."
        case .wrongPasscode: "A forgotten passcode is replaced by “echotext vault recover” with the recovery code."
        case .wrongRecoveryCode, .misspeltRecoveryCode:
            "Compare it with what you wrote down; capitals, spaces and hyphens do not matter."
        case .lockedOut: "Wait, or open the library by “echotext vault recover” with the recovery code."
        case .attemptInProgress: "Try again in some seconds."
        case .deviceFolderReadOnly:
            "Make that folder (ECHOTEXT_DEVICE, else “echotext-device” in your state folder) writable for you."
        case .clockMoved: "Start it outside of the time namespace or container that it runs in."
        case .weakPasscode: "Take 4 to 6 digits without a pattern, or a password of at least 12 characters."
        case .passcodesDiffer, .recoveryCodeNotConfirmed: "Nothing was changed. Try again."
        case .noPasscode: "Set one with “echotext vault passcode set”."
        case .passcodeExists: "Change it with “echotext vault passcode change”."
        case .deviceSecretMissing, .deviceSecretDamaged, .tpmLockedOut:
            "Open the library by “echotext vault recover” with the recovery code."
        case .deviceSecretUnsafe: "See “echotext vault doctor”, which names what is wrong with it."
        case .slotsMissing, .slotsDamaged, .databaseDamaged:
            "Put back the newest backup, and see “echotext vault check”."
        case .slotsTooNew, .newerSchema: "Use that version or a newer one; nothing was changed."
        case .unsafeFolder: "Move the library to a folder of your own, without links."
        case .notEncrypted: "Run “./echotext” or “make deps”, which builds the encrypted SQLite, and try again."
        case .wrongKey: "The database and the key slots are not of one library; put back both from one backup."
        case .contentDamaged, .contentMissing:
            "“echotext vault check --read-data” lists what is damaged; everything else can be used."
        case .readOnly(let cause): cause.suggestion
        case .inUse: "Wait until it is done, or stop it, and try again."
        case .tpmUnavailable: "See “echotext vault doctor”, or open the library with the recovery code."
        case .system: nil
        }
    }

    /// A wait in the largest unit that says it well: “40 seconds”, “5 minutes”, “24 hours”; rounded up, so that no one comes
    /// back too early.
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
        case .damaged: "The library is damaged, so nothing more is kept until it is mended."
        }
    }

    var suggestion: String {
        switch self {
        case .diskFull: "Make room on the disk and try again; what is kept can still be read."
        case .deviceFailed: "Make a backup with “echotext vault backup” to another disk."
        case .noPermission: "Make the folder writable for you and try again."
        case .damaged: "See “echotext vault check”; “--repair” mends what can be mended."
        }
    }
}

/// A reason why a passcode is easy to guess.
package enum PasscodeWeakness: String, Sendable, Hashable {
    /// Neither 4 to 6 digits nor at least 12 characters.
    case tooShort
    /// All the same, a run up or down, a repeated pair, a year or a date.
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
