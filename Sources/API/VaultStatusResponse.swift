package import EchoText
package import Foundation

/// Whether the library is locked, and what opens it.
package struct VaultStatusResponse: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case uninitialised
        case locked
        case unlocked
        case lockedOut
        case recoveryNeeded
        case readOnly

        fileprivate init(_ state: VaultState) {
            self =
                switch state {
                case .uninitialised: .uninitialised
                case .locked: .locked
                case .unlocked: .unlocked
                case .lockedOut: .lockedOut
                case .recoveryNeeded: .recoveryNeeded
                case .readOnly: .readOnly
                }
        }
    }

    package let state: State
    /// The credential that opens it, besides the recovery code; null before there is a library.
    @Nullable package var protection: VaultStatus.Protection?
    package let hasRecoveryCode: Bool
    /// Whether this machine's secret is in its security chip.
    package let usesSecurityChip: Bool
    /// Seconds until another passcode is accepted.
    @Nullable package var retryAfter: Double?
    /// In a command's answer: when another passcode is accepted.
    package private(set) var until: Date?
    /// The path of the library's folder.
    @Nullable package var folder: String?
    /// The path of the folder with this machine's secret.
    @Nullable package var deviceFolder: String?

    package init(_ status: VaultStatus, now: Date = Date()) {
        state = State(status.state)
        (hasRecoveryCode, usesSecurityChip) = (status.hasRecoveryCode, status.usesSecurityChip)
        (protection, folder, deviceFolder) = (status.protection, status.folder, status.deviceFolder)
        if case .lockedOut(let until) = status.state {
            retryAfter = max(0, until.timeIntervalSince(now).rounded(.up))
        }
    }

    /// The answer of a command about `status`.
    package static func answer(about status: VaultStatus) -> VaultStatusResponse {
        var answer = VaultStatusResponse(status)
        if case .lockedOut(let until) = status.state { answer.until = until }
        return answer
    }
}

/// The bytes that the library takes of the disk, by kind.
package struct LibraryBytesResponse: Encodable, Sendable {
    /// The sound of what was recorded or imported.
    package let recordings: Int
    /// The files that recordings were imported from, as they came.
    package let importedFiles: Int
    /// The sound of narrations.
    package let narrations: Int
    /// Documents as they were given, and their texts.
    package let documents: Int
    /// Sound that was recorded while practicing.
    package let takes: Int
    /// Recordings and narrations that are not finished.
    package let unfinished: Int
    /// Speech that is remembered, and made again where it is missing.
    package let speechCache: Int
    /// Everything else: texts, transcripts, lists and settings.
    package let database: Int

    package init(_ size: LibrarySize) {
        (recordings, importedFiles, narrations) = (size[.recordings], size[.importedFiles], size[.narrations])
        (documents, takes, unfinished) = (size[.documents], size[.takes], size[.unfinished])
        (speechCache, database) = (size[.speechCache], size[.database])
    }
}
