import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Long names")
struct LongNameTests {
    /// As long as a name may be, most of them longer than the name of a file; and such as no file can have.
    static let names: [ItemName] = [
        ("夜", 200), ("Ж", 200), ("नमस्ते", 33), ("🎧", 200), ("👨‍👩‍👧‍👦", 28), ("e\u{301}", 100), ("שלום ", 40),
        ("n", 200), ("/", 200), (".", 1), (".", 2),
    ].map { ItemName(repeating: $0, count: $1) }

    /// Signs that combine with the one before them.
    private static let stems = String(repeating: "\u{1D165}", count: 94)

    /// Texts whose characters have several bytes and scalars each, so that few of them fill the name of a file.
    static let texts: [String] = [
        "रात बहुत शांत थी और बंदरगाह पर कोई नहीं था, केवल बूढ़ा नाविक अपनी नाव के पास बैठा हुआ समुद्र को देख रहा था।",
        "คืนนี้เงียบมากและไม่มีใครอยู่ที่ท่าเรือมีเพียงกะลาสีเฒ่าที่นั่งอยู่ข้างเรือของเขาและมองออกไปยังทะเลกว้างอันมืดมิด",
        "இரவு மிகவும் அமைதியாக இருந்தது துறைமுகத்தில் யாரும் இல்லை வயதான மாலுமி மட்டும் தன் படகின் அருகில் அமர்ந்திருந்தார்",
        String(repeating: "👨‍👩‍👧‍👦", count: 40), String(repeating: "🎧🌊🌙 ", count: 60),
        // Two characters of 95 scalars each.
        "G\(stems)b\(stems)",
    ]

    @Test("come back whole, with what they name, after a new start", arguments: names)
    func roundTrip(name: ItemName) async throws {
        let room = try LibraryRoom()
        var sample = SampleRecording.all[0]
        sample.name = name
        let narrated = try await sample.make(in: room.jobs)
        let sentence = try #require(try await room.library.timings(of: narrated.id).first)
        let again = SpokenSentence(sound: [1, 2, 3], words: [])
        let changed = try await room.library.replace(sentence, with: again, in: narrated.id)
        let recordings = room.recordings
        let session = try await recordings.begin(RecordingOrder(name: name, sampleRate: 16_000, source: .microphone))
        _ = try await recordings.append(RecordingChunk(number: 0, samples: [4, 5, 6]), to: session.id)
        let recorded = try await recordings.finish(session.id)
        var letter = SampleDocument.all[0]
        letter.name = name
        let document = try await room.documents.add(letter.new)
        let content = letter.content
        let long = try await room.documents.add(UnreadDocument(name: name, bytes: letter.bytes, added: Date())) { _ in
            content
        }
        try room.database.close()

        let database = try LibraryDatabase(in: room.folder, key: room.key)
        let library = StoredLibrary(database: database, contents: room.contents)
        for item in [changed, recorded] {
            #expect(try await library.item(item.id) == item)
            #expect(item.name == name)
        }
        let sound = try await library.sound(of: recorded.id)
        #expect(try await sound.read(WAVHeader.plainLength..<sound.length) == Data([4, 0, 5, 0, 6, 0]))
        let spoken = try await library.sound(of: narrated.id)
        #expect(try await spoken.read(WAVHeader.plainLength..<spoken.length) == Data([1, 0, 2, 0, 3, 0]))
        let documents = StoredDocuments(database: database, contents: room.contents)
        for id in [document.id, long.id] {
            #expect(try await documents.document(id)?.name == name)
            let original = try await documents.original(of: id)
            #expect(try await original.read(0..<original.length) == letter.bytes)
        }
        #expect(try await database.check().isEmpty)
        try database.close()
    }

    @Test("that texts give themselves come back whole, with the sound", arguments: texts)
    func firstWords(of text: String) async throws {
        let name = try #require(ItemName(firstWordsOf: text))
        #expect(text.hasPrefix(name.text) && name.text.utf8.count > 2 * name.text.count, "\(name)")
        try await roundTrip(name: name)
    }

    @Test("that the tags of a sound file give come back whole, with the sound", arguments: texts)
    func tags(title: String) async throws {
        let room = try LibraryRoom()
        let decoder = WaveDecoder(tags: SoundTags(title: title))
        let file = WAVHeader.file(of: [Int16](repeating: 7, count: 8_000), sampleRate: 8_000)
        let importing = SoundImport(into: room.recordings, by: decoder)
        let item = try await importing.add(HeldBytes(file), called: "talk.wav").item
        #expect(title.hasPrefix(item.name.text) && item.name.text.utf8.count > 2 * item.name.text.count, "\(item.name)")
        try room.database.close()

        let database = try LibraryDatabase(in: room.folder, key: room.key)
        let library = StoredLibrary(database: database, contents: room.contents)
        #expect(try await library.item(item.id) == item)
        let sound = try await library.sound(of: item.id)
        #expect(try await sound.read(WAVHeader.plainLength..<sound.length) == file.dropFirst(WAVHeader.plainLength))
        let kept = try await library.file(of: item.id)
        #expect(try await kept.read(0..<kept.length) == file)
        #expect(try await database.check().isEmpty)
        try database.close()
    }

    @Test("stand in no sealed file")
    func hidden() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let document = try await room.documents.add(SampleDocument.all[1].new)
        var names: Set<String> = []
        for reference in try await room.database.referencedContents() {
            names.insert(try await room.contents.open(reference).name)
        }
        #expect(names == ["recording.wav", "document.pdf", "text.txt"], "\(item.name), \(document.name)")
    }

    @Test("that a person gave stay readable in files that have them")
    func older() async throws {
        let room = try LibraryRoom()
        let bytes = Data("The tide is out.".utf8)
        let reference = try await room.contents.seal(bytes, name: "Õhtu – 夜.wav")
        let sound = try await room.contents.sound(of: reference)
        #expect(try await sound.read(0..<sound.length) == bytes)
    }
}

extension ItemName {
    /// - Precondition: The text is a valid name.
    fileprivate init(repeating text: String, count: Int) {
        do {
            try self.init(String(repeating: text, count: count))
        } catch {
            preconditionFailure("\(count) times “\(text)” is no name")
        }
    }
}
