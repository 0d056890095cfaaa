import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Stores of the library", .endsInTime)
struct StoreTests {
    @Test("keep every promise of their ports")
    func contracts() async throws {
        let room = try LibraryRoom()
        try await verifyContract(of: room.library, filledBy: room.jobs)
        try await verifyContract(of: room.jobs, fillingUp: room.library, reopened: room.jobs)
        try await verifyContract(of: room.recordings, fillingUp: room.library, reopened: room.recordings)
        try await verifyContract(of: room.transcripts, in: room.library, filledBy: room.recordings, and: room.jobs)
        try await verifyContract(
            of: room.transcriptions,
            fillingUp: room.transcripts,
            in: room.library,
            filledBy: room.recordings,
            reopened: room.transcriptions
        )
        try await verifyContract(of: room.documents)
        try await verifyContract(
            of: StoredBatch(database: room.database),
            reopened: StoredBatch(database: room.database)
        )
        try await verifyContract(of: room.speech(limit: 1_000_000))
        try await verifyContract(of: StoredHistory(database: room.database)) { _, id in
            try await room.database.write {
                try $0.execute(sql: "UPDATE history SET text = x'41ff42' WHERE id = ?", arguments: [id])
            }
        }
        try await verifyContract(of: StoredProfiles(database: room.database))
        try await verifyContract(of: StoredSettings(database: room.database))
        try await verifyContract(of: StoredDraft(database: room.database))
        try await verifyContract(of: StoredVoices(database: room.database))
        try await verifyContract(of: StoredOutbound(database: room.database))
        try await verifyContract(of: StoredServices(database: room.database))
        try await verifyContract(of: StoredAPIKeys(database: room.database))
        try await verifyContract(
            of: StoredSpeeches(database: room.database),
            reopened: StoredSpeeches(database: room.database)
        )
        try await verifyContract(
            of: StoredPractice(database: room.database, contents: room.contents),
            reopened: StoredPractice(database: room.database, contents: room.contents)
        )
        #expect(try await room.database.check().isEmpty)
        #expect(
            try await room.contentIDs == Set(room.database.referencedContents().map(\.id.text)),
            "no file without a row"
        )
    }

    @Test("keep the queue and the bookmark")
    func playback() async throws {
        let room = try LibraryRoom()
        try await verifyContract(
            of: StoredPlayback(database: room.database),
            playing: room.library,
            filledBy: room.jobs
        )
    }

    @Test("keep a queue that cannot be read until a person empties it")
    func unreadableQueue() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let playback = StoredPlayback(database: room.database)
        let newer = Data(#"{"parts": []}"#.utf8)
        try await room.database.write {
            try $0.execute(sql: "INSERT INTO state (name, value) VALUES ('queue', ?)", arguments: [newer])
        }
        await #expect(throws: LibraryError.queueUnreadable) { _ = try await playback.queue() }
        await #expect(throws: LibraryError.queueUnreadable) { try await playback.change { $0.add([item.id]) } }
        try await room.library.delete([item.id])
        let kept = try await room.database.read {
            try Data.fetchOne($0, sql: "SELECT value FROM state WHERE name = 'queue'")
        }
        #expect(kept == newer, "neither a change nor a deletion replaces it")
        try await playback.save(PlaybackQueue())
        #expect(try await playback.queue() == PlaybackQueue())
    }

    @Test("say that a bookmark is lost which cannot be read, until another one is saved")
    func unreadableBookmark() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let playback = StoredPlayback(database: room.database)
        let newer = Data(#"{"place": []}"#.utf8)
        try await room.database.write {
            try $0.execute(sql: "INSERT INTO state (name, value) VALUES ('bookmark', ?)", arguments: [newer])
        }
        #expect(try await playback.bookmark() == nil)
        #expect(try await playback.lostBookmark() == LostBookmark(name: nil))
        await #expect(throws: PlaybackError.bookmarkLost(of: nil)) {
            _ = try await PlaybackStart.bookmark(in: playback)
        }
        try await playback.save(Bookmark(item: item.id, position: 0.1, duration: 60, made: Date()))
        #expect(try await playback.bookmark()?.item == item.id)
        #expect(try await playback.lostBookmark() == nil)
        try await room.database.write { try $0.execute(sql: "UPDATE item SET name = char(10) || 'x' || char(7)") }
        #expect(try await playback.bookmark() == nil, "its recording cannot be read")
        #expect(try await playback.lostBookmark() == LostBookmark(name: nil))
    }

    @Test("give back a dictionary that cannot be read as it was written, and speak by it as little as without it")
    func unreadableDictionary() async throws {
        let room = try LibraryRoom()
        let settings = StoredSettings(database: room.database)
        #expect(try await settings.dictionary() == nil)
        try await room.database.write {
            try $0.execute(
                sql: "INSERT INTO setting (name, value) VALUES (?, 'no equals sign')",
                arguments: [SettingsCatalogue.dictionary.name]
            )
        }
        let kept = try await settings.dictionary()
        #expect(kept == "no equals sign")
        let voice = SampleRecording.all[0].order.voice
        var defaults = NarrationDefaults(voice: voice.id)
        defaults.dictionary = kept
        #expect(throws: PronunciationDictionaryError.self) {
            _ = try NarrationRequest().resolve(with: defaults, among: [voice], naming: "Text")
        }
    }

    @Test("list a damaged entry of the batch as failed, make the others, and remove it")
    func damagedBatch() async throws {
        let room = try LibraryRoom()
        let batch = StoredBatch(database: room.database)
        let orders = SampleRecording.all.map(\.order)
        let damaged = try #require(try await batch.add([orders[0]]).first)
        try await room.database.write { try $0.execute(sql: "UPDATE batchEntry SET instructions = x'00'") }
        let added = try await batch.add([orders[1]])
        #expect(try await batch.next() == added[0], "the others are made")
        let listed = try await batch.entries()
        #expect(listed.map(\.id) == [damaged.id, added[0].id] && listed.map(\.state) == [.failed, .waiting])
        #expect(listed[0].failure == LibraryError.batchEntryDamaged.failure)
        #expect(try await batch.counts() == BatchCounts(of: listed))
        var again = listed[0]
        (again.state, again.failure) = (.waiting, nil)
        _ = try await batch.update(again)
        #expect(try await batch.entries() == listed, "it fails again")
        #expect(try await batch.remove(.one(damaged.id)) == [listed[0]])
        #expect(try await batch.entries() == added)
        try await room.database.write { try $0.execute(sql: "UPDATE batchEntry SET instructions = x'00'") }
        #expect(try await batch.remove(.left).map(\.id) == added.map(\.id))
        #expect(try await batch.entries().isEmpty)
    }

    @Test("find everything again after a new start")
    func reopening() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[3].make(in: room.jobs)
        let job = try await room.jobs.begin(SampleRecording.all[0].order, text: SampleRecording.all[0].text)
        try await StoredSettings(database: room.database).set("playback.loop", to: "on")
        try room.database.close()
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        let library = StoredLibrary(database: database, contents: room.contents)
        #expect(try await library.item(item.id) == item)
        #expect(try await library.text(of: item.id) == "Flour\0and butter.", "with its NUL")
        #expect(try await StoredJobs(database: database, contents: room.contents).jobs() == [job])
        #expect(try await StoredSettings(database: database).value(of: SettingsCatalogue.loops))
        try database.close()
    }

    @Test("find everything again when the index of searches was made again, also what stands behind a NUL")
    func searchMadeAgain() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[3].make(in: room.jobs)
        var query = AudioQuery()
        query.words = "butter"
        #expect(try await room.library.items(matching: query).items == [item])
        try await room.database.rebuildSearch()
        #expect(try await room.library.items(matching: query).items == [item])
        #expect(try await room.database.check().isEmpty)
    }

    @Test("leave nothing behind when a content cannot be written, and no row without its content")
    func failedContents() async throws {
        let room = try LibraryRoom()
        let sample = SampleRecording.all[0]
        let jobs = room.jobs
        let job = try await jobs.begin(sample.order, text: sample.text)
        try await jobs.keep(sample.segment, for: job.id)
        let broken = StoredJobs(database: room.database, contents: FullContents())
        try await jobs.leave(job.id, as: .stopped, failure: nil)
        await #expect(throws: VaultError.readOnly(.diskFull)) { try await broken.keep(sample.segment, for: job.id) }
        try await broken.leave(job.id, as: .stopped, failure: nil)
        await #expect(throws: VaultError.readOnly(.diskFull)) { _ = try await broken.finish(job.id) }
        #expect(try await jobs.jobs().first?.samples == sample.samples.count, "the job is as it was")
        #expect(try await jobs.finish(job.id).size == 44 + 2 * sample.samples.count)
    }

    @Test("call nothing a failure that is done, though a file that is not needed any more cannot be deleted")
    func undeletedContents() async throws {
        let room = try LibraryRoom()
        let contents = LastingContents(contents: room.contents)
        let sample = SampleRecording.all[0]
        let item = try await sample.make(in: StoredJobs(database: room.database, contents: contents))
        #expect(try await room.library.item(item.id) != nil)

        let library = StoredLibrary(database: room.database, contents: contents)
        let sentence = try #require(try await library.timings(of: item.id).first)
        let again = SpokenSentence(sound: [1, 2, 3], words: [])
        let changed = try await library.replace(sentence, with: again, in: item.id)
        #expect(changed.sampleCount == item.sampleCount - sentence.samples.count + 3)

        let store = StoredPractice(database: room.database, contents: contents)
        let practice = SamplePractice.practice(0)
        try await store.add(practice, text: nil)
        let take = SamplePractice.take(1, of: practice.id)
        try await store.add(take, sound: Data([1, 2, 3]))
        try await store.keep(SamplePractice.score, of: take.id, keepsSound: false)
        #expect(try await store.score(of: take.id) == SamplePractice.score)
    }

    @Test("move a mark that is beyond any sound to the end when a sentence before it is spoken again")
    func farMark() async throws {
        let room = try LibraryRoom()
        let sample = SampleSentences()
        let item = try await sample.make(in: room.jobs)
        try await room.library.setMarks([RecordingMark(sample: 700)], of: item.id)
        try await room.database.write { try $0.execute(sql: "UPDATE itemMark SET sample = \(Int.max)") }
        let sentence = try #require(try await room.library.timings(of: item.id).first)
        let spoken = sample.spoken(sentence, count: 5_000)
        let changed = try await room.library.replace(sentence, with: spoken, in: item.id)
        #expect(try await room.library.marks(of: item.id).map(\.sample) == [changed.sampleCount])
    }

    @Test("list what can be read, and say how many of what was asked for cannot")
    func unreadableItems() async throws {
        let room = try LibraryRoom()
        let kept = try await SampleRecording.all[0].make(in: room.jobs)
        let damaged = try await SampleRecording.all[1].make(in: room.jobs)
        let last = try await SampleRecording.all[2].make(in: room.jobs)
        try await room.database.write {
            try $0.execute(
                sql: "UPDATE item SET name = char(10) || 'x' || char(7) WHERE id = ?",
                arguments: [damaged.id.rawValue]
            )
        }
        let page = try await room.library.items(matching: AudioQuery())
        #expect(Set(page.items.map(\.id)) == [kept.id, last.id])
        #expect(page.total == 2 && page.unreadable == 1)
        var one = AudioQuery()
        (one.limit, one.offset) = (1, 1)
        let second = try await room.library.items(matching: one)
        #expect(second.items == [page.items[1]] && second.total == 2, "no place in the list is empty")
        one.isFavorite = true
        #expect(try await room.library.items(matching: one) == AudioPage(items: [], total: 0))
        #expect(try await room.database.check() == [.unreadableRecordings(count: 1)])
        #expect(try await room.library.unreadableItems() == [damaged.id])
        try await room.library.delete([damaged.id])
        #expect(try await room.library.items(matching: AudioQuery()) == AudioPage(items: page.items, total: 2))
        #expect(try await room.library.unreadableItems().isEmpty)
    }

    @Test("find what was asked for, also where the times of its words are damaged", arguments: ["00", "02", "0202"])
    func damagedTimes(of table: String) async throws {
        let room = try LibraryRoom()
        var ids: [AudioItem.ID] = []
        for sample in SampleRecording.all.prefix(2) {
            let same = SampleRecording(name: sample.name, text: "The same words.")
            ids.append(try await same.make(in: room.jobs).id)
        }
        try await room.database.write { [first = ids[0]] database in
            try database.execute(
                sql: "UPDATE itemText SET timings = x'\(table)' WHERE item = (SELECT key FROM item WHERE id = ?)",
                arguments: [first.rawValue]
            )
        }
        var query = AudioQuery()
        query.words = "same"
        let hits = try await room.library.search(query)
        #expect(Set(hits.map(\.item.id)) == Set(ids))
        #expect(hits.filter { $0.place == nil }.map(\.item.id) == [ids[0]])
        await #expect(throws: VaultError.databaseDamaged) { _ = try await room.library.timings(of: ids[0]) }
    }

    @Test("delete what cannot be read of what was asked for, and nothing that can be read again")
    func unreadableDeleted() async throws {
        let room = try LibraryRoom()
        var ids: [AudioItem.ID] = []
        for sample in SampleRecording.all { ids.append(try await sample.make(in: room.jobs).id) }
        let files = try room.contentIDs
        try await room.library.setFavorite(true, for: Set(ids))
        try await room.database.write { [last = ids[3]] database in
            try database.execute(sql: "UPDATE item SET created = 1e300 WHERE id <> ?", arguments: [last.rawValue])
        }
        var query = AudioQuery()
        (query.isFavorite, query.words) = (true, "hope")
        #expect(try await room.library.items(matching: query).unreadable == 1)
        #expect(try await room.library.deleteUnreadable(matching: query) == [ids[1]])
        #expect(try await room.library.unreadableItems() == [ids[0], ids[2]])
        #expect(try await room.library.items(matching: AudioQuery()).unreadable == 2)

        try await room.database.write { [first = ids[0]] database in
            try database.execute(sql: "UPDATE item SET created = 1 WHERE id = ?", arguments: [first.rawValue])
        }
        #expect(try await room.library.deleteUnreadable(matching: AudioQuery()) == [ids[2]])
        let page = try await room.library.items(matching: AudioQuery())
        #expect(page.items.map(\.id) == [ids[3], ids[0]] && page.unreadable == 0)
        #expect(try await room.library.deleteUnreadable(matching: AudioQuery()).isEmpty)
        #expect(try room.contentIDs.count == files.count - 2)
    }

    @Test("delete no recording whose id a damaged one reads as, and pass over a damaged one that reads as none's")
    func misreadID() async throws {
        let room = try LibraryRoom()
        var ids: [AudioItem.ID] = []
        for sample in SampleRecording.all { ids.append(try await sample.make(in: room.jobs).id) }
        let files = try room.contentIDs
        try await room.database.write { [ids] database in
            try database.execute(
                sql: "UPDATE item SET created = 1e300 WHERE id <> ?",
                arguments: [ids[0].rawValue]
            )
            try database.execute(
                sql: "UPDATE item SET id = ? || char(0) WHERE id = ?",
                arguments: [ids[0].rawValue, ids[1].rawValue]
            )
            try database.execute(
                sql: "UPDATE item SET id = CAST(x'ff' AS TEXT) WHERE id = ?",
                arguments: [ids[2].rawValue]
            )
        }
        #expect(try await room.library.deleteUnreadable(matching: AudioQuery()) == [ids[3]])
        let page = try await room.library.items(matching: AudioQuery())
        #expect(page.items.map(\.id) == [ids[0]] && page.unreadable == 2)
        #expect(try room.contentIDs.count == files.count - 1)
    }

    @Test("delete nothing of what cannot be read when one of it cannot be deleted")
    func undeletable() async throws {
        let room = try LibraryRoom()
        var ids: [AudioItem.ID] = []
        for sample in SampleRecording.all { ids.append(try await sample.make(in: room.jobs).id) }
        let files = try room.contentIDs
        try await room.database.write { [last = ids[3]] database in
            try database.execute(sql: "UPDATE item SET created = 1e300 WHERE id <> ?", arguments: [last.rawValue])
            try database.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE DELETE ON item WHEN (SELECT count(*) FROM item) = 3
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        await #expect(throws: VaultError.self) {
            _ = try await room.library.deleteUnreadable(matching: AudioQuery())
        }
        #expect(try await room.library.unreadableItems() == Array(ids[..<3]))
        #expect(try await room.library.items(matching: AudioQuery()).items.map(\.id) == [ids[3]])
        #expect(try room.contentIDs == files)
    }

    @Test(
        "leave out a recording whose row has numbers that none has",
        arguments: [
            "duration = 1e300", "duration = 9e999", "sampleRate = 9223372036854775807", "created = 1e300",
            "created = -9e999", "duration = 1e10, sampleRate = 2147483647",
        ]
    )
    func unreckonable(change: String) async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        try await room.database.write { try $0.execute(sql: "UPDATE item SET \(change)") }
        let page = try await room.library.items(matching: AudioQuery())
        #expect(page.items.isEmpty && page.unreadable == 1)
        await #expect(throws: VaultError.databaseDamaged) { _ = try await room.library.item(item.id) }
        #expect(try await room.database.check() == [.unreadableRecordings(count: 1)])
    }

    @Test("list a recording of days at any rate of sound", arguments: [8_000, 48_000, 192_000, 384_000])
    func longRecording(rate: Int) async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        try await room.database.write {
            try $0.execute(sql: "UPDATE item SET duration = 1e6 / 3, sampleRate = ?", arguments: [rate])
        }
        let page = try await room.library.items(matching: AudioQuery())
        #expect(page.items.map(\.id) == [item.id] && page.unreadable == 0)
        #expect(try await room.library.item(item.id)?.sampleRate == rate)
        #expect(try await room.database.check().isEmpty)
    }

    @Test("take a job for damaged that has come to a place that no text has", arguments: ["position", "samples"])
    func unreckonableJob(column: String) async throws {
        let room = try LibraryRoom()
        let sample = SampleRecording.all[0]
        let jobs = room.jobs
        let job = try await jobs.begin(sample.order, text: sample.text)
        try await jobs.keep(sample.segment, for: job.id)
        #expect(try await jobs.jobs().first?.samples == sample.samples.count)
        try await room.database.write { try $0.execute(sql: "UPDATE segment SET \(column) = \(Int.max)") }
        try await verifyDamage(of: job, among: jobs)
        #expect(try room.contentIDs.isEmpty)
    }

    @Test("make no recording of a job whose files say that they have more than a disk can have")
    func endlessFiles() async throws {
        let room = try LibraryRoom()
        let sample = SampleRecording.all[0]
        let jobs = room.jobs
        let job = try await jobs.begin(sample.order, text: sample.text)
        for _ in 1...2 { try await jobs.keep(sample.segment, for: job.id) }
        try await room.database.write { try $0.execute(sql: "UPDATE content SET length = \(Int.max)") }
        await #expect(throws: LibraryError.recordingTooLong) { _ = try await jobs.finish(job.id) }
    }

    @Test("take a job for damaged whose text is longer than any")
    func unreckonableLength() async throws {
        let room = try LibraryRoom()
        let sample = SampleRecording.all[0]
        let jobs = room.jobs
        let job = try await jobs.begin(sample.order, text: sample.text)
        #expect(try await jobs.jobs().count == 1)
        try await room.database.write { try $0.execute(sql: "UPDATE job SET length = \(Int.max)") }
        try await verifyDamage(of: job, among: jobs)
    }

    @Test("list a job whose order cannot be read among the others, by its name where that is left")
    func unreadableOrder() async throws {
        let room = try LibraryRoom()
        let jobs = room.jobs
        let sample = SampleRecording.all[0]
        for change in ["x'00'", #"CAST(replace(CAST(instructions AS TEXT), '"voice"', '"vice"') AS BLOB)"#] {
            let job = try await jobs.begin(sample.order, text: sample.text)
            try await room.database.write {
                let sql = "UPDATE job SET instructions = \(change) WHERE id = ?"
                try $0.execute(sql: sql, arguments: [job.id.rawValue])
            }
            let name: ItemName = change == "x'00'" ? "?" : sample.order.name
            #expect(try await jobs.jobs().map(\.order.name) == [name])
            try await verifyDamage(of: job, among: jobs)
        }
    }

    /// Verifies that the only job is damaged, hides none that comes after it, and can be discarded.
    private func verifyDamage(of job: NarrationJob, among jobs: StoredJobs) async throws {
        let damaged = try #require(try await jobs.jobs().first)
        #expect(damaged.id == job.id && damaged.isUnreadable && damaged.state == .failed)
        #expect(damaged.samples == 0 && damaged.failure == LibraryError.jobDamaged.failure)
        let next = try await jobs.begin(SampleRecording.all[1].order, text: SampleRecording.all[1].text)
        #expect(try await jobs.jobs() == [damaged, next])
        try await jobs.leave(job.id, as: .stopped, failure: nil)
        await #expect(throws: LibraryError.jobDamaged) { _ = try await jobs.resume(job.id) }
        #expect(try await jobs.jobs() == [damaged, next], "it is as it was")
        try await jobs.discard(job.id)
        #expect(try await jobs.jobs() == [next])
        try await jobs.discard(next.id)
    }

    @Test("use a profile that cannot be read as little as they lose it")
    func unreadableProfile() async throws {
        let room = try LibraryRoom()
        let profiles = StoredProfiles(database: room.database)
        let profile = VoiceProfile(name: "Mine", voice: Voice.ID(rawValue: "piper/x"))
        try await profiles.save(profile)
        try await profiles.choose(profile.id)
        try await room.database.write {
            try $0.execute(sql: "UPDATE profile SET name = char(10) || 'x' || char(7) WHERE id <> 'default'")
        }
        #expect(try await profiles.chosen() == ChosenProfile(profile: .standard, isStandIn: true))
        #expect(try await profiles.profiles() == [.standard])
        #expect(try await profiles.unreadable() == 1, "so that a list can say how many it leaves out")
    }

    @Test("list the keys of programs beside one that cannot be read, which opens nothing and can be removed")
    func unreadableKey() async throws {
        let room = try LibraryRoom()
        let keys = StoredAPIKeys(database: room.database)
        let time = Date(timeIntervalSince1970: 1_790_000_000)
        let secrets = [try await keys.add("Damaged", at: time), try await keys.add("Editor", at: time)]
        try await room.database.write {
            try $0.execute(sql: "UPDATE apiKey SET name = char(10) || 'x' || char(7) WHERE name = 'Damaged'")
        }
        #expect(try await keys.keys() == [APIKey(name: "Editor", created: time)])
        #expect(try await keys.unreadable() == 1)
        #expect(try await keys.use(secrets[0], at: time) == nil)
        #expect(try await keys.use(secrets[1], at: time)?.name == "Editor")
        #expect(try await keys.removeUnreadable() == 1)
        #expect(try await keys.unreadable() == 0)
        #expect(try await keys.keys().map(\.name) == ["Editor"])
    }

    @Test("say that a sound is damaged or missing before a byte of it is given")
    func damagedSound() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let reference = try #require(try await room.database.referencedContents().first)
        try Data(count: reference.sealedSize).write(to: URL(filePath: room.contentPath(of: reference.id)))
        await #expect(throws: VaultError.contentDamaged) { _ = try await room.library.sound(of: item.id) }
        try await room.contents.delete([reference])
        await #expect(throws: VaultError.contentMissing) { _ = try await room.library.sound(of: item.id) }
        try await room.library.delete([item.id])
        #expect(try await room.library.item(item.id) == nil)
    }

    @Test("are heard while they become recordings, or are said to be gone, and never damaged")
    func hearingWhileFinishing() async throws {
        let room = try LibraryRoom()
        let jobs = room.jobs
        let sample = SampleRecording.all[0]
        for _ in 0..<20 {
            let job = try await jobs.begin(sample.order, text: sample.text)
            try await jobs.keep(sample.segment, for: job.id)
            let listener = Task {
                while true { _ = try await jobs.samples(ofJob: job.id, from: 0, limit: 100) }
            }
            _ = try await jobs.finish(job.id)
            await #expect(throws: LibraryError.jobNotFound) { try await listener.value }
        }
    }

    @Test("say that a narration is damaged whose row says more than its file has")
    func wrongLength() async throws {
        let room = try LibraryRoom()
        let (jobs, sample) = (room.jobs, SampleRecording.all[0])
        let job = try await jobs.begin(sample.order, text: sample.text)
        try await jobs.keep(sample.segment, for: job.id)
        try await room.database.write { try $0.execute(sql: "UPDATE segment SET samples = samples + 100") }
        let count = sample.samples.count
        #expect(try await jobs.samples(ofJob: job.id, from: count - 10, limit: 10).count == 10)
        await #expect(throws: VaultError.contentDamaged) {
            _ = try await jobs.samples(ofJob: job.id, from: count - 10, limit: 11)
        }
    }

    @Test("finish a narration whose word times are damaged in a part, which is one sentence without words then")
    func damagedTimes() async throws {
        let room = try LibraryRoom()
        let (jobs, sample) = (room.jobs, SampleRecording.all[0])
        let job = try await jobs.begin(sample.order, text: sample.text)
        try await jobs.keep(sample.segment, for: job.id)
        try await room.database.write { try $0.execute(sql: "UPDATE segment SET timings = x'02'") }
        let times = try await jobs.timings(ofJob: job.id)
        #expect(times.damaged == 1 && times.sentences.map(\.words.count) == [0])
        #expect(times.sentences.map(\.text) == [sample.text])
        let item = try await jobs.finish(job.id)
        #expect(item.duration == sample.length)
        #expect(try await room.library.timings(of: item.id) == times.sentences)
    }

    @Test("refuse values that cannot be")
    func constraints() async throws {
        let room = try LibraryRoom()
        _ = try await SampleRecording.all[0].make(in: room.jobs)
        for change in [
            "speed = -1", "duration = NULL", "isFavorite = 2", "name = ''", "sampleRate = 0", "content = 'x'",
        ] {
            await #expect(throws: VaultError.system(errno: EINVAL), "\(change)") {
                try await room.database.write { try $0.execute(sql: "UPDATE item SET \(change)") }
            }
        }
    }
}

/// Contents on a disk without room.
struct FullContents: SealedContents {
    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        throw VaultError.readOnly(.diskFull)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound { throw VaultError.contentMissing }

    func delete(_ references: [ContentReference]) async throws {}
}

/// A disk that deletes nothing.
private struct LastingContents: SealedContents {
    let contents: ContentStore

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        try await contents.write(name: name, length: length, as: id, from: next)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound {
        try await contents.sound(of: reference)
    }

    func delete(_ references: [ContentReference]) async throws { throw VaultError.system(errno: EIO) }
}

/// A disk that accepts all writes and fails all reads.
struct UnreadableContents: SealedContents {
    let contents: ContentStore

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        try await contents.write(name: name, length: length, as: id, from: next)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound {
        throw VaultError.system(errno: EIO)
    }

    func delete(_ references: [ContentReference]) async throws { try await contents.delete(references) }
}
