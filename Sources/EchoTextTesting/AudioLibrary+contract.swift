package import EchoText
import Foundation
import Testing

/// Checks every promise ``AudioLibrary`` makes, on a library that is empty at first.
///
/// - Parameters:
///   - library: The library to check.
///   - jobs: The jobs that add recordings to it.
/// - Throws: Unexpected errors of the library.
package func verifyContract(of library: some AudioLibrary, filledBy jobs: some NarrationJobs) async throws {
    #expect(try await library.items(matching: AudioQuery()) == AudioPage(items: [], total: 0))
    let items = try await SampleRecording.all.asyncMap { try await $0.make(in: jobs) }
    try await verifyParts(of: items, in: library)
    try await verifyOrder(of: items, in: library)
    try await verifyFilters(of: items, in: library)
    try await verifySearch(of: items, in: library)
    try await verifySentences(in: library, filledBy: jobs)
    try await verifyCaptions(in: library, filledBy: jobs)
    try await verifyChanges(of: items, in: library)
}

private func verifyParts(of items: [AudioItem], in library: some AudioLibrary) async throws {
    for (sample, item) in zip(SampleRecording.all, items) {
        #expect(try await library.item(item.id) == item)
        #expect(try await library.text(of: item.id) == sample.text)
        #expect(try await library.timings(of: item.id) == sample.sentences)
        let sound = try await library.sound(of: item.id)
        #expect(sound.length == item.size)
        let bytes = try await sound.read(0..<sound.length)
        #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.count == 44 + 2 * sample.samples.count)
        #expect(bytes.dropFirst(44) == sample.samples.withUnsafeBytes { Data($0) })
        #expect(try await sound.read(40..<50) == bytes[40..<50], "a range is the same bytes")
        #expect(item.duration == Double(sample.samples.count) / 16_000)
        #expect(item.words == sample.text.wordCount)
    }
    let byID = items.sorted { $0.id.rawValue < $1.id.rawValue }
    #expect(try await library.items(withIDsBeginning: "", limit: 2) == Array(byID.prefix(2)))
    for item in items {
        let beginning = String(item.id.rawValue.prefix(20))
        #expect(try await library.items(withIDsBeginning: beginning, limit: 2) == [item])
        #expect(try await library.item(called: item.id.rawValue) == item)
    }
    #expect(try await library.items(withIDsBeginning: "%", limit: 2).isEmpty)
    let missing = AudioItem.ID()
    #expect(try await library.item(missing) == nil)
    #expect(try await Set(library.items([items[0].id, missing, items[2].id])) == [items[0], items[2]])
    #expect(try await library.items([]).isEmpty)
    #expect(try await library.items(Set((0..<500).map { _ in AudioItem.ID() })).isEmpty, "as many as there may be")
    await #expect(throws: LibraryError.itemNotFound) { try await library.text(of: missing) }
    await #expect(throws: LibraryError.itemNotFound) { try await library.timings(of: missing) }
    await #expect(throws: LibraryError.itemNotFound) { try await library.cues(of: missing) }
    await #expect(throws: LibraryError.itemNotFound) { _ = try await library.sound(of: missing) }
    await #expect(throws: LibraryError.itemNotFound) { try await library.rename(missing, to: "New") }
}

private func verifyOrder(of items: [AudioItem], in library: some AudioLibrary) async throws {
    for order in AudioQuery.SortOrder.allCases {
        for isAscending in [false, true] {
            var query = AudioQuery()
            query.order = order
            query.isAscending = isAscending
            let whole = try await library.items(matching: query)
            #expect(whole.total == items.count && Set(whole.items) == Set(items))
            let ordered = zip(whole.items, whole.items.dropFirst()).allSatisfy { one, other in
                let (first, second) = isAscending ? (one, other) : (other, one)
                return switch order {
                case .date: first.created <= second.created
                case .length: first.duration <= second.duration
                case .size: first.size <= second.size
                case .name:
                    first.name.sortKey.utf8.elementsEqual(second.name.sortKey.utf8)
                        || first.name.sortKey.utf8.lexicographicallyPrecedes(second.name.sortKey.utf8)
                }
            }
            #expect(ordered, "by \(order), ascending: \(isAscending)")
            query.offset = 1
            query.limit = 2
            let page = try await library.items(matching: query)
            #expect(page.items == Array(whole.items[1..<3]) && page.total == items.count)
            query.offset = items.count
            #expect(try await library.items(matching: query).items.isEmpty)
        }
    }
}

private func verifyFilters(of items: [AudioItem], in library: some AudioLibrary) async throws {
    try await library.setFavorite(true, for: [items[0].id, items[2].id])
    func names(_ change: (inout AudioQuery) -> Void) async throws -> Set<String> {
        var query = AudioQuery()
        change(&query)
        let page = try await library.items(matching: query)
        #expect(page.total == page.items.count)
        return Set(page.items.map(\.name.text))
    }
    #expect(try await names { $0.isFavorite = true } == ["Harbour", "Zebra"])
    #expect(try await names { $0.isFavorite = false } == ["élan", "apple Pie"])
    #expect(try await names { $0.speed = 1.1...1.3 } == ["élan"])
    #expect(try await names { $0.pitch = 0.5...0.9 } == ["Zebra"])
    #expect(try await names { $0.duration = 0.3...0.5 } == ["Zebra", "apple Pie"])
    #expect(try await names { $0.hasDocument = true } == ["apple Pie"])
    let document = try #require(items.compactMap(\.narration?.document).first)
    #expect(try await names { $0.document = Document.ID(rawValue: document.id) } == ["apple Pie"])
    #expect(try await names { $0.document = Document.ID() }.isEmpty)
    #expect(try await names { $0.voices = [SampleRecording.other.id] } == ["Zebra"])
    #expect(try await names { $0.created = Date.distantPast..<items[0].created }.isEmpty)
    #expect(try await names { $0.created = items[0].created..<Date.distantFuture }.count == 4)
    #expect(
        try await names {
            $0.isFavorite = true
            $0.speed = 1...1
        } == ["Harbour", "Zebra"]
    )
    #expect(try await names { $0.origins = [.narrated] }.count == 4)
    #expect(try await names { $0.origins = [.recorded, .imported] }.isEmpty)
    #expect(try await library.voices().map(\.name) == ["Anna", "Bert"])
    #expect(try await library.origins() == [.narrated])
}

private func verifySearch(of items: [AudioItem], in library: some AudioLibrary) async throws {
    func found(_ words: String, _ field: AudioQuery.Field = .anywhere) async throws -> Set<String> {
        var query = AudioQuery()
        query.words = words
        query.field = field
        let page = try await library.items(matching: query)
        #expect(try await library.search(query).map(\.item) == page.items)
        return Set(page.items.map(\.name.text))
    }
    #expect(try await found("lighthouse") == ["Harbour"])
    #expect(try await found("LIGHT") == ["Harbour"], "the last word may be only begun")
    #expect(try await found("light keeper").isEmpty, "any other is whole")
    #expect(try await found("keeper light") == ["Harbour"], "in whatever order")
    #expect(try await found("naive") == ["élan"], "diacritics do not count")
    #expect(try await found("elan", .name) == ["élan"])
    #expect(try await found("harbour", .text).isEmpty)
    #expect(try await found("harbour keeper") == ["Harbour"], "one in the name, one in the text")
    #expect(try await found("  ").count == items.count, "blank is any")
    for odd in ["\"", "a\"b*", "NOT", "AND OR", "name:", "(", "😀", "\0", "*", "-keeper^", "'; DROP TABLE item", "{}"] {
        _ = try await found(odd)
    }
    #expect(try await found("😀").isEmpty)
    var query = AudioQuery()
    query.words = "keeper"
    let place = try #require(try await library.search(query).first?.place)
    #expect(place.source == 15..<21 && place.seconds == 0.05)
    let excerpt = Array(place.excerpt.text.utf16)
    #expect(String(decoding: excerpt[place.excerpt.place], as: UTF16.self) == "keeper")
    #expect(!place.excerpt.text.contains("\n"))
    query.words = "harbour"
    let hits = try await library.search(query)
    #expect(hits.count == 1 && hits[0].place == nil, "only the name has it")
}

/// Checks that a sentence that is spoken again replaces the old one, and that later sentences move.
private func verifySentences(in library: some AudioLibrary, filledBy jobs: some NarrationJobs) async throws {
    let sample = SampleSentences()
    let item = try await sample.make(in: jobs)
    let marks = [10, 250, 700].map { RecordingMark(sample: $0, label: "at \($0)") }
    try await library.setMarks(marks, of: item.id)
    #expect(try await !library.setMarks([], of: item.id, insteadOf: []), "there are others")
    await withTaskGroup(of: Void.self) { group in
        for place in 1...8 {
            let mark = RecordingMark(sample: place)
            group.addTask { _ = try? await library.changeMarks(of: item.id) { $0.append(mark) } }
        }
    }
    let grown = try await library.marks(of: item.id)
    #expect(grown.count == marks.count + 8, "changes at the same time lose nothing of each other")
    #expect(try await library.setMarks(marks, of: item.id, insteadOf: grown))
    for (number, count) in [(1, 300), (1, 40), (0, 1), (2, 5_000)] {
        let before = try await library.timings(of: item.id)
        let old = try await SampleSentences.samples(of: item.id, in: library)
        let spoken = sample.spoken(before[number], count: count)
        let changed = try await library.replace(before[number], with: spoken, in: item.id)
        let range = before[number].samples
        let new = try await SampleSentences.samples(of: item.id, in: library)
        #expect(new == Array(old[..<range.lowerBound] + spoken.sound + old[range.upperBound...]))
        let after = try await library.timings(of: item.id)
        #expect(after == before.replacing(before[number], with: spoken)?.sentences)
        #expect(after.map(\.samples.count)[number] == count && after.map(\.text) == before.map(\.text))
        #expect(changed == (try await library.item(item.id)) && changed.sampleCount == new.count)
        #expect(changed.size == WAVHeader.plainLength + 2 * new.count && changed.words == item.words)
        await #expect(throws: LibraryError.recordingChanged, "it is not there any more") {
            _ = try await library.replace(before[number], with: spoken, in: item.id)
        }
        #expect(try await SampleSentences.samples(of: item.id, in: library) == new)
    }
    #expect(try await library.text(of: item.id) == sample.text)
    #expect(try await library.marks(of: item.id).map(\.label) == ["at 10", "at 250", "at 700"])
    await #expect(throws: LibraryError.itemNotFound) {
        let sentence = try await library.timings(of: item.id)[0]
        _ = try await library.replace(sentence, with: sample.spoken(sentence, count: 9), in: AudioItem.ID())
    }
    try await library.delete([item.id])
}

/// Checks that captions begin at their times, or as soon after them as they can, once one of them is spoken again.
private func verifyCaptions(in library: some AudioLibrary, filledBy jobs: some NarrationJobs) async throws {
    let sample = SampleSentences()
    let cues = zip(sample.sentences, [0, 0.5, 1.5]).map { SubtitleCue(range: $0.source, start: $1) }
    let other = try await sample.make(in: jobs)
    #expect(try await library.cues(of: other.id) == nil)
    let item = try await sample.make(in: jobs, cues: cues)
    #expect(try await library.cues(of: item.id) == cues)
    try await library.setMarks([RecordingMark(sample: 800)], of: item.id)
    for (count, starts) in [(40, [0, 8_000, 24_000]), (9_000, [0, 11_400, 24_000]), (300, [0, 8_000, 24_000])] {
        let before = try await library.timings(of: item.id)
        let spoken = sample.spoken(before[0], count: count)
        let changed = try await library.replace(before[0], with: spoken, in: item.id)
        let after = try await library.timings(of: item.id)
        #expect(after.map(\.samples.lowerBound) == starts && after.map(\.samples.count) == [count, 300, 300])
        #expect(after.map(\.words.count) == before.map(\.words.count))
        #expect(after[1].words.first?.samples.lowerBound == starts[1])
        let sound = try await SampleSentences.samples(of: item.id, in: library)
        #expect(sound.count == 24_400 && changed.sampleCount == sound.count)
        #expect(Array(sound[..<count]) == spoken.sound)
        for pause in [count..<starts[1], starts[1] + 300..<24_000] { #expect(sound[pause].allSatisfy { $0 == 0 }) }
        #expect(Array(sound[starts[1]..<starts[1] + 300]) == Array(sample.samples[400..<700]))
        #expect(Array(sound[24_000..<24_300]) == Array(sample.samples[800..<1_100]))
        #expect(try await library.marks(of: item.id) == [RecordingMark(sample: 24_000)])
    }
    try await library.delete([item.id, other.id])
}

private func verifyChanges(of items: [AudioItem], in library: some AudioLibrary) async throws {
    try await library.rename(items[0].id, to: "Sea, “quoted” 😀")
    #expect(try await library.item(items[0].id)?.name.text == "Sea, “quoted” 😀")
    var query = AudioQuery()
    query.words = "quoted keeper"
    #expect(try await library.items(matching: query).items.map(\.id) == [items[0].id], "the new name is found")
    query.words = "harbour"
    #expect(try await library.items(matching: query).total == 0, "the old one is not")

    let missing = AudioItem.ID()
    await #expect(throws: LibraryError.itemNotFound) {
        try await library.setFavorite(true, for: [items[1].id, missing])
    }
    #expect(try await library.item(items[1].id)?.isFavorite == false)
    await #expect(throws: LibraryError.itemNotFound) { try await library.delete([items[1].id, missing]) }
    #expect(try await library.item(items[1].id) != nil)

    #expect(try await library.deleteUnreadable(matching: AudioQuery()).isEmpty, "all of them can be read")
    try await library.delete([items[0].id, items[1].id])
    #expect(try await library.items(matching: AudioQuery()).total == items.count - 2)
    await #expect(throws: LibraryError.itemNotFound) { _ = try await library.sound(of: items[0].id) }
    query.words = "keeper"
    #expect(try await library.items(matching: query).total == 0)
    try await withThrowingTaskGroup { group in
        for id in items[2...].map(\.id) {
            group.addTask { try await library.setFavorite(true, for: [id]) }
            group.addTask { _ = try await library.items(matching: AudioQuery()) }
        }
        try await group.waitForAll()
    }
    try await library.delete(Set(items[2...].map(\.id)))
    #expect(try await library.items(matching: AudioQuery()).total == 0)
}

extension Sequence {
    /// The results of `transform`, computed in sequence.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
