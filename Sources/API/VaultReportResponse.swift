package import EchoText

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
    /// Sealed files that nothing here needs, left where they are.
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
    /// In a command's answer: the sealed files in `blobs/aside` that the library knows nothing about, after the deletion;
    /// absent where that is a link or no folder.
    package var unknownAside: Int?
    /// In a command's answer: the size of those, in bytes.
    package var unknownAsideBytes: Int?

    package init(_ report: VaultReport) {
        (items, sessions, contents) = (report.items, report.sessions, report.contents)
        (database, damaged, gaps) = (report.database, report.damaged, report.gaps)
        (unused, removed) = (report.unused + report.unassigned, report.removed)
        repairs = Dictionary(uniqueKeysWithValues: report.repairs.map { ($0.key.rawValue, $0.value) })
        (isRepaired, isSound, canBeRepaired) = (report.isRepaired, report.isSound, report.canBeRepaired)
        findings = report.lines.map { Line($0) }
    }
}
