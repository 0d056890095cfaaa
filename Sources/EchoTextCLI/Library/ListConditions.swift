import ArgumentParser
import EchoText
import Foundation

/// Which recordings a command is about.
struct References: ParsableArguments {
    @Argument(help: "Recordings, by id or name.")
    var recordings: [String]

    /// Finds the named recordings.
    ///
    /// - Parameters:
    ///   - library: The open library.
    ///   - reporting: Whether it is said which ones are found by the beginnings of their names.
    /// - Returns: The recordings without repetition, in the order given.
    /// - Throws: ``LibraryError/itemNotFound``, ``LibraryError/ambiguous(count:ids:)``; of several, with the one that it is about.
    func items(in library: Library, reporting: Bool = false) async throws -> [AudioItem] {
        try await Self.items(called: recordings, in: library, reporting: reporting)
    }

    /// As ``items(in:reporting:)``, for a command that may also do without names.
    static func items(
        called references: [String],
        in library: Library,
        reporting: Bool = false
    ) async throws -> [AudioItem] {
        let found = try await ReferenceFailure.each(of: references) { reference in
            let item = try await library.audio.item(called: reference)
            if reporting { TypedName(reference, for: item.id.rawValue, item.name).report() }
            return item
        }
        var items: [AudioItem] = []
        for item in found where !items.contains(where: { $0.id == item.id }) { items.append(item) }
        return items
    }
}

/// The order and filters of a list of recordings, except for the speed: `echotext play` has another option of that
/// name.
struct ListConditions: ParsableArguments {
    @Option(help: ArgumentHelp("Sort by date, length, name or size; by date when absent.", valueName: "order"))
    var sort: AudioQuery.SortOrder?

    @Flag(help: "Reverse the order.")
    var reverse = false

    @Flag(help: "Only favourites.")
    var favorites = false

    @Option(help: ArgumentHelp("Only narrated, recorded or imported ones; may be repeated.", valueName: "origin"))
    var origin: [AudioOrigin.Kind] = []

    @Option(help: ArgumentHelp("Only this voice; may be repeated.", valueName: "id"))
    var voice: [String] = []

    @Option(help: ArgumentHelp("Only this pitch, or a range.", valueName: "x|a..b"))
    var pitch: NumberRange?

    @Option(help: ArgumentHelp("Only of this length in seconds: a range such as 60.. or ..300.", valueName: "a..b"))
    var length: NumberRange?

    @Flag(inversion: .prefixedNo, help: "Only those made from a document, or only those that were not.")
    var document: Bool?

    @Option(help: ArgumentHelp("Only those made on this day or later.", valueName: "yyyy-mm-dd"))
    var since: Day?

    @Option(help: ArgumentHelp("Only those made on this day or before.", valueName: "yyyy-mm-dd"))
    var until: Day?

    func validate() throws {
        try Day.validate(since: since, until: until)
    }

    /// Whether any of them was given.
    var isAny: Bool {
        sort != nil || reverse || favorites || !origin.isEmpty || !voice.isEmpty || pitch != nil || length != nil
            || document != nil || since != nil || until != nil
    }

    var query: AudioQuery {
        var query = AudioQuery()
        query.order = sort ?? .date
        // Names ascend by default, and dates and lengths descend.
        query.isAscending = (sort == .name) != reverse
        query.isFavorite = favorites ? true : nil
        query.origins = Set(origin)
        query.voices = Set(voice.map(Voice.ID.init(rawValue:)))
        query.pitch = pitch?.range
        query.duration = length?.range
        query.hasDocument = document
        if since != nil || until != nil {
            let start = since?.start ?? .distantPast
            query.created = start..<max(start, until?.end ?? .distantFuture)
        }
        return query
    }

    /// The query for a part of the list, with a condition on the speed.
    func listQuery(at narrated: SpeedCondition, _ extent: ListExtent) -> AudioQuery {
        var query = query
        query.speed = narrated.speed?.range
        (query.limit, query.offset) = (extent.limit, extent.offset)
        return query
    }
}

/// The speed of the recordings in a list with ``ListConditions``.
///
/// It is beside the conditions, not around them: a debug build checks a group within a group so often, at each start of
/// any command of the library, that this took longer than the command.
struct SpeedCondition: ParsableArguments {
    @Option(help: ArgumentHelp("Only this speed, or a range of speeds.", valueName: "x|a..b"))
    var speed: NumberRange?
}

/// The part that a command shows of a list of recordings or documents; beside the conditions, like ``SpeedCondition``.
struct ListExtent: ParsableArguments {
    @Option(help: ArgumentHelp("Show at most this many.", valueName: "n"))
    var limit = 50

    @Option(help: ArgumentHelp("Skip this many.", valueName: "n"))
    var offset = 0

    func validate() throws {
        guard (1...100_000).contains(limit), offset >= 0 else {
            throw ValidationError("--limit takes 1 to 100000, --offset 0 or more.")
        }
    }

    /// Says after a list how many of its `total` entries come behind the `count` that are shown.
    func sayRest(behind count: Int, of total: Int) {
        let shown = offset + count
        if shown < total { EchoTextCommand.say("\(total - shown) more; see --offset and --limit") }
    }

    /// Says of a search without a hit to show whether there are some before the part that was asked for.
    func sayNothing(of total: Int) {
        EchoTextCommand.say(total == 0 ? "nothing found" : "nothing more found; see --offset")
    }
}

/// “1.25”, “0.5..1”, “60..” or “..300”.
struct NumberRange: ExpressibleByArgument {
    let range: ClosedRange<Double>

    init?(argument: String) {
        guard let dots = argument.range(of: "..") else {
            guard let number = Double(argument), number.isFinite else { return nil }
            // Lists show two decimals, so a number matches whatever rounds to it.
            range = number - 0.005...number + 0.005
            return
        }
        let (lower, upper) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        guard let from = lower.isEmpty ? -Double.greatestFiniteMagnitude : Double(lower),
            let to = upper.isEmpty ? Double.greatestFiniteMagnitude : Double(upper), from <= to
        else { return nil }
        range = from...to
    }
}

/// A day of the machine's calendar, of a year that has at most four digits.
struct Day: ExpressibleByArgument {
    let start: Date
    let end: Date

    init?(argument: String) {
        let calendar = Calendar(identifier: .gregorian)
        let parts = argument.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, argument.split(separator: "-", omittingEmptySubsequences: false).count == 3,
            (1...9_999).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2]),
            case let components = DateComponents(year: parts[0], month: parts[1], day: parts[2]),
            components.isValidDate(in: calendar), let start = calendar.date(from: components),
            let end = calendar.date(byAdding: .day, value: 1, to: start)
        else { return nil }
        self.start = start
        self.end = end
    }

    /// - Throws: `ValidationError` when `until` is before `since`.
    static func validate(since: Day?, until: Day?) throws {
        guard let since, let until, until.end <= since.start else { return }
        throw ValidationError("--until takes the day of --since, or a later one.")
    }
}

extension AudioQuery.SortOrder: ExpressibleByArgument {}
extension AudioQuery.Field: ExpressibleByArgument {}
extension AudioOrigin.Kind: ExpressibleByArgument {}
