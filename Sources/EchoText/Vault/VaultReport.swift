/// The report of a check of the whole library.
package struct VaultReport: Sendable, Hashable {
    /// A fault of the database.
    package enum Problem: Sendable, Hashable {
        case damagedPages(count: Int)
        case danglingReferences(count: Int)
        /// The text of these recordings is not their current transcript's, because none or another one is current.
        case unclearTranscripts(count: Int)
        /// The rows of these recordings cannot be read, so lists leave them out.
        case unreadableRecordings(count: Int)
        case damagedSearch
    }

    /// A sealed file that is damaged or missing.
    package struct Damage: Sendable, Hashable, Encodable {
        /// The recording whose sound it is; `nil` for anything else.
        package var item: AudioItem.ID?
        /// The unfinished recording that it is a part of; that can be finished with silence instead of the damaged
        /// part.
        package var session: AudioItem.ID?
        /// The name of the recording, unfinished recording or document that it belongs to; `nil` for a part of an
        /// unfinished narration.
        package var name: String?
        /// Whether it belongs to the speech cache: nothing is lost then, and a repair removes it.
        package var isCache: Bool
        /// Whether it is the file that the recording of that name was imported from, whose sound is another file.
        package var isImported: Bool
        /// The error's code: `vault.content-missing`, `vault.content-damaged`, or that of why it cannot be read, such as
        /// `vault.unsafe-folder` for a link in its place.
        package var code: String

        package init(
            item: AudioItem.ID? = nil,
            session: AudioItem.ID? = nil,
            name: String? = nil,
            isCache: Bool = false,
            isImported: Bool = false,
            code: String
        ) {
            (self.item, self.session, self.name) = (item, session, name)
            (self.isCache, self.isImported, self.code) = (isCache, isImported, code)
        }
    }

    /// Sound of an unfinished recording that is nowhere any more.
    package struct Gap: Sendable, Hashable, Encodable {
        package var session: AudioItem.ID
        package var name: String
        /// The missing seconds.
        package var seconds: Double
        /// The expected total, in seconds.
        package var duration: Double

        package init(session: AudioItem.ID, name: String, seconds: Double, duration: Double) {
            (self.session, self.name, self.seconds, self.duration) = (session, name, seconds, duration)
        }
    }

    /// A kind of repair.
    package enum Repair: String, Sendable, Hashable, CaseIterable {
        /// Searches have a new index.
        case searchRebuilt
        /// Rows whose owners were deleted were removed.
        case rowsRemoved
        /// Parts of unfinished recordings whose files are missing were removed; they become silence.
        case partsRemoved
        /// Unfinished recordings without any sound left were removed.
        case sessionsRemoved
        /// Recordings got their newest transcript as the current one.
        case transcriptsChosen
        /// Damaged files of the cache of speech were removed.
        case cacheRemoved
        /// Files of what was deleted, and unfinished ones, were removed.
        case filesRemoved
        /// Encrypted files that this library knows nothing about were moved to the folder `blobs/aside`.
        case filesSetAside
        /// Missing files were found there, and put back.
        case filesPutBack
    }

    /// A line of the report, with its English words and the values in them.
    package struct Line: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, Encodable {
            /// Something is damaged or lost.
            case fault
            /// Files that nothing here needs, which a repair removes or sets aside.
            case leftover
            /// Something that was done.
            case repair
        }

        package let kind: Kind
        /// The stable name of its message, for programs to match on.
        package let code: String
        package let message: String
        /// The name of the recording or document.
        package private(set) var name: String?
        package private(set) var count: Int?
        /// The lost seconds of an unfinished recording.
        package private(set) var seconds: Double?
        /// The seconds that the unfinished recording had.
        package private(set) var duration: Double?
    }

    package var items = 0
    /// Unfinished recordings.
    package var sessions = 0
    package var contents = 0
    package var problems: [Problem] = []
    package var damaged: [Damage] = []
    package var gaps: [Gap] = []
    /// Files of what was deleted, and unfinished ones, that were not removed.
    package var unused = 0
    /// Whole encrypted files that this library knows nothing about, and that were not moved.
    package var unassigned = 0
    /// Files that this library needs and reads from the folder `blobs/aside`; a repair puts them back.
    package var aside = 0
    /// Files in the folder `blobs/aside` that this library knows nothing about.
    package var unknownAside = 0
    /// The size of those, in bytes.
    package var unknownAsideBytes = 0
    /// Whether that folder can be read or made: it is no link, no file and nobody else's.
    package var isAsideUsable = true
    /// How often each was done.
    package var repairs: [Repair: Int] = [:]
    /// Removed files: those without a reference, and damaged ones of the cache.
    package var removed = 0
    package var isRepaired = false

    package init() {}

    package var isSound: Bool { problems.isEmpty && damaged.isEmpty && gaps.isEmpty }

    /// The faults of the database, in words.
    package var database: [String] { problems.map(\.words) }

    /// Whether a repair finds something to do; what is lost stays lost.
    package var canBeRepaired: Bool {
        if unused + aside > 0 || problems.contains(where: \.canBeRepaired) || damaged.contains(where: \.isCache) {
            return true
        }
        // The rest waits until it is known what is in “aside”.
        guard isAsideUsable else { return false }
        return unassigned > 0 || damaged.contains(where: \.isLostPart) || gaps.contains { $0.seconds == $0.duration }
    }

    package mutating func note(_ repair: Repair, _ count: Int) {
        if count > 0 { repairs[repair, default: 0] += count }
    }
}

extension VaultReport {
    /// Its lines in order: the faults, the leftovers, the repairs.
    package var lines: [Line] {
        var lines: [Line] = []
        for problem in problems { lines.append(Line(problem)) }
        for damage in damaged { lines.append(Line(damage)) }
        for gap in gaps { lines.append(Line(gap)) }
        if unused > 0 {
            let words = "\(unused) leftover \(unused == 1 ? "file" : "files")"
            lines.append(Line(.leftover, "leftovers", words, count: unused))
        }
        if unassigned > 0 {
            let files = "\(unassigned) sealed \(unassigned == 1 ? "file" : "files")"
            let words = "\(files) that this library does not know; a newer one may"
            lines.append(Line(.leftover, "unassigned", words, count: unassigned))
        }
        for repair in Repair.allCases {
            if let count = repairs[repair] { lines.append(Line(repair, count)) }
        }
        return lines
    }
}

extension VaultReport.Line {
    fileprivate init(_ kind: Kind, _ code: String, _ message: String, name: String? = nil, count: Int? = nil) {
        (self.kind, self.code, self.message) = (kind, code, message)
        (self.name, self.count) = (name, count)
    }

    fileprivate init(_ problem: VaultReport.Problem) {
        self.init(.fault, problem.code, "the database has \(problem.words)", count: problem.count)
    }

    fileprivate init(_ damage: VaultReport.Damage) {
        let (ending, state) =
            switch damage.code {
            case VaultError.contentMissing.code: ("Missing", "is missing")
            case VaultError.contentDamaged.code: ("Damaged", "is damaged")
            default: ("Damaged", "cannot be read (\(damage.code))")
            }
        let (code, words) = damage.subject
        self.init(.fault, code + ending, "\(words) \(state)", name: damage.name)
    }

    fileprivate init(_ gap: VaultReport.Gap) {
        let lost = WrittenTranscript.clock(gap.seconds.rounded())
        let whole = WrittenTranscript.clock(gap.duration.rounded())
        let message = "the unfinished recording “\(gap.name)” has lost \(lost) of \(whole)"
        self.init(.fault, "soundLost", message, name: gap.name)
        (seconds, duration) = (gap.seconds, gap.duration)
    }

    fileprivate init(_ repair: VaultReport.Repair, _ count: Int) {
        self.init(.repair, repair.rawValue, repair.words(count), count: count)
    }
}

extension VaultReport.Problem {
    fileprivate var words: String {
        switch self {
        case .damagedPages(let count): "\(count) damaged \(count == 1 ? "place" : "places")"
        case .danglingReferences(let count): "\(count) broken \(count == 1 ? "link" : "links") between rows"
        case .unclearTranscripts(let count):
            "\(count) \(count == 1 ? "recording" : "recordings") without a current transcript"
        case .unreadableRecordings(let count):
            "\(count) \(count == 1 ? "recording" : "recordings") that cannot be read and \(count == 1 ? "is" : "are") left out of lists"
        case .damagedSearch: "a damaged search index"
        }
    }

    fileprivate var code: String {
        switch self {
        case .damagedPages: "damagedPages"
        case .danglingReferences: "danglingReferences"
        case .unclearTranscripts: "unclearTranscripts"
        case .unreadableRecordings: "unreadableRecordings"
        case .damagedSearch: "damagedSearch"
        }
    }

    fileprivate var count: Int? {
        switch self {
        case .damagedPages(let count), .danglingReferences(let count), .unclearTranscripts(let count),
            .unreadableRecordings(let count):
            count
        case .damagedSearch: nil
        }
    }

    fileprivate var canBeRepaired: Bool {
        switch self {
        case .danglingReferences, .unclearTranscripts, .damagedSearch: true
        case .damagedPages, .unreadableRecordings: false
        }
    }
}

extension VaultReport.Damage {
    /// The damaged object: the beginning of a line's code, and its words.
    fileprivate var subject: (code: String, words: String) {
        switch (item, name) {
        case (.some, let name): ("recording", "the sound of “\(name ?? "")”")
        case (nil, let name?) where session != nil: ("part", "a part of the unfinished recording “\(name)”")
        case (nil, let name?) where isImported: ("importedFile", "the file that “\(name)” was imported from")
        case (nil, let name?): ("document", "a file of the document “\(name)”")
        case (nil, nil) where isCache: ("cache", "a file of the cache of speech, which is made again,")
        case (nil, nil): ("narration", "the sound of an unfinished narration")
        }
    }

    /// Whether it is a part of an unfinished recording without a file.
    fileprivate var isLostPart: Bool { session != nil && code == VaultError.contentMissing.code }
}

extension VaultReport.Repair {
    /// The action, with the number of times it was done.
    fileprivate func words(_ count: Int) -> String {
        func number(_ one: String, _ several: String) -> String { "\(count) \(count == 1 ? one : several)" }
        return switch self {
        case .searchRebuilt: "the search index was rebuilt"
        case .rowsRemoved: number("row", "rows") + " that belonged to nothing removed"
        case .partsRemoved:
            number("lost part", "lost parts") + " of unfinished recordings noted; silence will be in their place"
        case .sessionsRemoved: number("unfinished recording", "unfinished recordings") + " without any sound removed"
        case .transcriptsChosen:
            number("recording has its newest transcript again", "recordings have their newest transcripts again")
        case .cacheRemoved: number("damaged file", "damaged files") + " of the cache of speech removed"
        case .filesRemoved: number("leftover file", "leftover files") + " removed"
        case .filesSetAside:
            number("sealed file", "sealed files")
                + " that this library does not know moved to “blobs/aside” in its folder, since a newer library may need them"
        case .filesPutBack: number("missing file", "missing files") + " put back from “blobs/aside”"
        }
    }
}
