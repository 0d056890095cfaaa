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

/// The result of a check of the whole library.
package struct VaultReportResponse: Encodable, Sendable {
    /// A line of the report.
    package struct Line: Encodable, Sendable {
        package let kind: VaultReport.Line.Kind
        /// The stable name of its message, for programs to match on.
        package let code: String
        /// English; the page has its own words for the code.
        package let message: String
        /// The name of the recording or document.
        package let name: String?
        package let count: Int?
        /// The lost seconds of an unfinished recording.
        package let seconds: Double?
        /// The seconds that the unfinished recording had.
        package let duration: Double?

        fileprivate init(_ line: VaultReport.Line) {
            (kind, code, message) = (line.kind, line.code, line.message)
            (name, count) = (line.name, line.count)
            (seconds, duration) = (line.seconds, line.duration)
        }
    }

    /// Recordings with sound of their own.
    package let items: Int
    /// Unfinished recordings.
    package let sessions: Int
    /// Sealed files.
    package let contents: Int
    /// The faults of the database, in English.
    package let database: [String]
    /// The sealed files that are damaged or missing.
    package let damaged: [VaultReport.Damage]
    /// Sound of unfinished recordings that is nowhere any more.
    package let gaps: [VaultReport.Gap]
    /// Sealed files that nothing needs and that were not removed.
    package let unused: Int
    /// How often each repair was done, by its code.
    package let repairs: [String: Int]
    /// Removed files: those that nothing needed, and damaged ones of the cache.
    package let removed: Int
    /// Whether a repair has left nothing damaged.
    package let isRepaired: Bool
    /// Whether nothing is damaged or lost.
    package let isSound: Bool
    /// Whether a repair finds something to do; what is lost stays lost.
    package let canBeRepaired: Bool
    /// Its lines in order: the faults, the leftovers, the repairs.
    package let findings: [Line]

    package init(_ report: VaultReport) {
        (items, sessions, contents) = (report.items, report.sessions, report.contents)
        (database, damaged, gaps) = (report.database, report.damaged, report.gaps)
        (unused, removed) = (report.unused, report.removed)
        repairs = Dictionary(uniqueKeysWithValues: report.repairs.map { ($0.key.rawValue, $0.value) })
        (isRepaired, isSound, canBeRepaired) = (report.isRepaired, report.isSound, report.canBeRepaired)
        findings = report.lines.map { Line($0) }
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
