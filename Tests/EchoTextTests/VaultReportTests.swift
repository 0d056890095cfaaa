import EchoText
import Testing

@Suite("The report of a check of the library")
struct VaultReportTests {
    private func filled(_ fill: (inout VaultReport) -> Void) -> VaultReport {
        var report = VaultReport()
        fill(&report)
        return report
    }

    @Test("has nothing to say of a sound library")
    func sound() {
        let report = VaultReport()
        #expect(report.isSound && report.lines.isEmpty && !report.canBeRepaired)
    }

    @Test("says the faults first, then what is left over, then what was done")
    func order() {
        let report = filled { report in
            report.unused = 2
            report.unassigned = 1
            report.gaps = [.init(session: AudioItem.ID(rawValue: "b"), name: "Talk", seconds: 30, duration: 62)]
            report.damaged = [.init(item: AudioItem.ID(rawValue: "a"), name: "Story", code: "vault.content-missing")]
            report.problems = [.danglingReferences(count: 2), .damagedSearch]
            report.note(.filesRemoved, 1)
            report.note(.filesSetAside, 2)
            report.note(.filesPutBack, 1)
            report.note(.rowsRemoved, 2)
            report.note(.cacheRemoved, 0)
        }
        #expect(
            report.lines.map(\.message) == [
                "the database has 2 broken links between rows", "the database has a damaged search index",
                "the sound of “Story” is missing", "the unfinished recording “Talk” has lost 0:30 of 1:02",
                "2 leftover files", "1 sealed file that this library does not know; a newer one may",
                "2 rows that belonged to nothing removed", "1 leftover file removed",
                "2 sealed files that this library does not know moved to “blobs/aside” in its folder, "
                    + "since a newer library may need them",
                "1 missing file put back from “blobs/aside”",
            ]
        )
        #expect(
            report.lines.map(\.code) == [
                "danglingReferences", "damagedSearch", "recordingMissing", "soundLost", "leftovers", "unassigned",
                "rowsRemoved", "filesRemoved", "filesSetAside", "filesPutBack",
            ]
        )
        #expect(
            report.lines.map(\.kind) == [
                .fault, .fault, .fault, .fault, .leftover, .leftover, .repair, .repair, .repair, .repair,
            ]
        )
        #expect(report.lines.map(\.count) == [2, nil, nil, nil, 2, 1, 2, 1, 2, 1])
        #expect(report.lines.map(\.name) == [nil, nil, "Story", "Talk", nil, nil, nil, nil, nil, nil])
        #expect(report.lines[3].seconds == 30 && report.lines[3].duration == 62)
    }

    @Test("says what every damaged file belonged to")
    func subjects() {
        let session = AudioItem.ID(rawValue: "b")
        let code = "vault.content-damaged"
        let report = filled { report in
            report.damaged = [
                .init(item: AudioItem.ID(rawValue: "a"), name: "A", code: code),
                .init(session: session, name: "B", code: code), .init(name: "C", isImported: true, code: code),
                .init(name: "D", code: code), .init(isCache: true, code: code), .init(code: code),
            ]
        }
        #expect(
            report.lines.map(\.code) == [
                "recordingDamaged", "partDamaged", "importedFileDamaged", "documentDamaged", "cacheDamaged",
                "narrationDamaged",
            ]
        )
    }

    @Test("offers a repair only where one finds something to do")
    func repairs() {
        let session = AudioItem.ID(rawValue: "b")
        #expect(filled { $0.unused = 1 }.canBeRepaired)
        #expect(filled { $0.unassigned = 1 }.canBeRepaired)
        #expect(filled { $0.aside = 1 }.canBeRepaired)
        #expect(filled { $0.problems = [.damagedSearch] }.canBeRepaired)
        #expect(filled { $0.damaged = [.init(isCache: true, code: "vault.content-damaged")] }.canBeRepaired)
        #expect(filled { $0.damaged = [.init(session: session, code: "vault.content-missing")] }.canBeRepaired)
        #expect(!filled { $0.damaged = [.init(session: session, code: "vault.content-damaged")] }.canBeRepaired)
        #expect(!filled { $0.damaged = [.init(name: "D", code: "vault.content-missing")] }.canBeRepaired)
        #expect(!filled { $0.problems = [.damagedPages(count: 1)] }.canBeRepaired)
        #expect(filled { $0.gaps = [.init(session: session, name: "B", seconds: 9, duration: 9)] }.canBeRepaired)
        #expect(!filled { $0.gaps = [.init(session: session, name: "B", seconds: 8, duration: 9)] }.canBeRepaired)
    }
}
