import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("A vault that two programs have open", .endsInTime)
struct LibraryVaultTests {
    private let room = KeyRoom()
    private let places: VaultPaths
    private let vault: LibraryVault

    init() {
        places = VaultPaths(library: room.library, device: room.device, runtime: room.path, machineID: room.machineID)
        vault = LibraryVault(places)
    }

    @Test("is left by who came in without a passcode, when the other sets one")
    func passcodeSetElsewhere() async throws {
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let inside = Task {
            try await LibraryVault(places).useOpen { _ in
                entering.yield()
                try await untilCancelled()
            }
        }
        for await _ in entered { break }
        try await Self.setPasscode(in: places)
        await #expect(throws: VaultError.locked) { try await inside.value }
    }

    @Test("is seen to have got a passcode elsewhere when somebody comes, without a watch that reports it")
    func passcodeUntold() async throws {
        let interactive = InteractiveVault(LibraryVault(places))
        let inside = await Self.entered(interactive)
        #expect(await interactive.isStillOpen())
        try await Self.setPasscode(in: places)
        #expect(await !interactive.isStillOpen())
        inside.cancel()
        _ = await inside.result
    }

    @Test("is left by who came in, who learns of it, when the other erases everything")
    func erased() async throws {
        let interactive = InteractiveVault(vault)
        let inside = await Self.entered(interactive)
        #expect(await interactive.isStillOpen())
        try await vault.erase(passcode: nil)
        #expect(await !interactive.isStillOpen())
        await #expect(throws: VaultError.erased) { try await inside.value }
    }

    @Test("is left by who came in, when a backup is put in its place, and not while it is only away")
    func restored() async throws {
        try await Self.record("Talk", in: vault)
        let copy = "\(room.path)/copy"
        try FileManager.default.copyItem(atPath: places.library, toPath: copy)
        let interactive = InteractiveVault(vault)
        let inside = await Self.entered(interactive)
        #expect(await interactive.isStillOpen())
        let away = "\(room.path)/away"
        try FileManager.default.moveItem(atPath: places.library, toPath: away)
        #expect(await interactive.isStillOpen())
        try FileManager.default.moveItem(atPath: copy, toPath: places.library)
        #expect(await !interactive.isStillOpen())
        inside.cancel()
        _ = await inside.result
        let again = await Self.entered(interactive)
        #expect(await interactive.isStillOpen())
        again.cancel()
        _ = await again.result
    }

    @Test("is left before anything is done in it, when a backup is put in its place while it is opened")
    func replacedWhileOpened() async throws {
        try await Self.record("Talk", in: vault)
        let (copy, away) = ("\(room.path)/copy", "\(room.path)/away")
        try FileManager.default.copyItem(atPath: places.library, toPath: copy)
        let interactive = InteractiveVault(vault)
        try await vault.useOpen { [places] open in
            #expect(!open.isReplaced)
            try FileManager.default.moveItem(atPath: places.library, toPath: away)
            #expect(!open.isReplaced)
            try FileManager.default.moveItem(atPath: copy, toPath: places.library)
            #expect(open.isReplaced)
            let isDone = try await interactive.perform({ _ in Issue.record("it is no longer there") }, in: open)
            #expect(!isDone)
        }
        let inside = await Self.entered(interactive)
        #expect(await interactive.isStillOpen())
        inside.cancel()
        _ = await inside.result
    }

    @Test("is erased whole while a program that has it open still adds files")
    func erasedWhileWritten() async throws {
        try await vault.use { _ in }
        let folders = ["blobs", "locks"].map { "\(places.library)/\($0)" }
        let writing = Task {
            await onThread {
                // The keys go first.
                for _ in 0..<600_000 where access("\(places.library)/slots.json", F_OK) == 0 { usleep(100) }
                for number in 0..<200 {
                    for folder in folders {
                        let file = open("\(folder)/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                        if file >= 0 { close(file) }
                    }
                }
            }
        }
        try await vault.erase(passcode: nil)
        await writing.value
        #expect(folders.filter { access($0, F_OK) == 0 } == [])
    }

    @Test("is said to be erased, and not to lack its keys, as long as a file of it stays")
    func erasedInPart() async throws {
        try await vault.use { _ in }
        let database = "\(places.library)/library.db"
        await #expect(throws: VaultError.erasedFilesStay) {
            try await vault.erase(passcode: nil) { path in
                guard path != database else { throw VaultError.system(errno: EPERM) }
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(access(database, F_OK) == 0)
        let later = LibraryVault(places)
        await #expect(throws: VaultError.erasedFilesStay) { try await later.status() }
        await #expect(throws: VaultError.erasedFilesStay) { try await later.use { _ in } }
        #expect(try await !later.asksBeforeErasing())
        try await later.erase(passcode: nil)
        #expect(try await later.status().state == .uninitialised)
        let note = "\(places.library)/erased"
        #expect(access(note, F_OK) != 0)
        // As though a person had deleted the other files.
        #expect(FileManager.default.createFile(atPath: note, contents: nil))
        try await later.use { _ in }
        #expect(access(note, F_OK) != 0)
        try FileManager.default.removeItem(atPath: "\(places.library)/slots.json")
        await #expect(throws: VaultError.slotsMissing) { try await later.status() }
    }

    @Test("is not said to be erased where it was copied to what stays of one that was")
    func copiedToErased() async throws {
        try await Self.record("Talk", in: vault)
        let copy = "\(room.path)/copy"
        try FileManager.default.copyItem(atPath: places.library, toPath: copy)
        let database = "\(places.library)/library.db"
        await #expect(throws: VaultError.erasedFilesStay) {
            try await vault.erase(passcode: nil) { path in
                guard path != database else { throw VaultError.system(errno: EPERM) }
                try FileManager.default.removeItem(atPath: path)
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: copy) {
            let path = "\(places.library)/\(name)"
            if access(path, F_OK) == 0 { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.copyItem(atPath: "\(copy)/\(name)", toPath: path)
        }
        let later = LibraryVault(places)
        #expect(try await later.status().state == .recoveryNeeded, "this machine's secret is gone")
        try FileManager.default.removeItem(atPath: "\(places.library)/slots.json")
        await #expect(throws: VaultError.slotsMissing) { try await later.status() }
    }

    @Test("says that everything was erased, and not that a file is missing, to who stores something just then")
    func erasedMeanwhile() async throws {
        await #expect(throws: VaultError.erased) {
            try await vault.use { library in
                let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
                let id = try await library.recordings.begin(order).id
                try await vault.erase(passcode: nil)
                let long = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 8_000 * 40))
                try await library.recordings.append(long, to: id)
                _ = try await library.recordings.finish(id)
            }
        }
    }

    @Test("is not taken for erased while its folder is elsewhere, or another's is in its place")
    func moved() async throws {
        #expect(await !vault.isErased())
        await #expect(throws: VaultError.contentMissing) {
            try await vault.use { _ -> Void in
                let elsewhere = "\(places.library) elsewhere"
                try FileManager.default.moveItem(atPath: places.library, toPath: elsewhere)
                #expect(await !vault.isErased())
                try FileManager.default.createDirectory(atPath: places.library, withIntermediateDirectories: false)
                #expect(await !vault.isErased())
                try FileManager.default.removeItem(atPath: places.library)
                try FileManager.default.moveItem(atPath: elsewhere, toPath: places.library)
                throw VaultError.contentMissing
            }
        }
        try await vault.erase(passcode: nil)
        #expect(await vault.isErased())
    }

    @Test("is backed up while it is used, and the copy that was sent is gone then")
    func backedUp() async throws {
        let bytes = MemoryBytes()
        let missing = try await LibraryVault(places).useOpen { _ in
            try await InteractiveVault(LibraryVault(places)).backUp(to: bytes)
        }
        #expect(missing == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: places.copies).isEmpty)
        let text = String(decoding: try await bytes.read(0..<bytes.length), as: UTF8.self)
        for name in ["library.db", "slots.json", "keyring.bin"] {
            #expect(text.contains("\((places.library as NSString).lastPathComponent)/\(name)"))
        }
        #expect(!text.contains("SQLite format 3"))
    }

    @Test("has every file in a backup that its database names, though a sentence is spoken again meanwhile")
    func backedUpWhileChanged() async throws {
        let sample = SampleRecording.all[0]
        let item = try await vault.use { try await sample.make(in: $0.jobs).id }
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let speaking = Task {
            defer { change.finish() }
            try await vault.use { library in
                let spoken = SpokenSentence(sound: sample.samples, words: [])
                while !Task.isCancelled {
                    guard let sentence = try await library.audio.timings(of: item).first else { return }
                    _ = try await library.audio.replace(sentence, with: spoken, in: item)
                    change.yield()
                }
            }
        }
        defer { speaking.cancel() }
        var spokenAgain = changes.makeAsyncIterator()
        for number in 1...5 {
            let isSpoken = await spokenAgain.next() != nil
            try #require(isSpoken)
            let folder = "\(room.path)/copy\(number)"
            #expect(try await vault.backup(to: folder) == 0)
            let copy = LibraryVault(
                VaultPaths(library: folder, device: room.device, runtime: room.path, machineID: room.machineID)
            )
            let report = try await copy.check(readsData: true, repairs: false)
            #expect(report.isSound && report.items == 1)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/blobs")
            let files = paths.filter { $0.contains("/") }
            #expect(files.count == report.contents, "what was replaced meanwhile is not in it")
        }
        speaking.cancel()
        _ = await speaking.result
    }

    @Test("is as it was when a backup is copied over it, though a crash has left changes beside its database")
    func putBackOver() async throws {
        let voice = Voice.ID(rawValue: "espeak/et")
        try await vault.use { try await $0.profiles.save(VoiceProfile(name: "Before", voice: voice)) }
        let copy = "\(room.path)/copy"
        #expect(try await vault.backup(to: copy) == 0)
        let log = "\(places.library)/library.db-wal"
        let crashed = "\(room.path)/crashed"
        try await vault.use { library in
            try await library.profiles.save(VoiceProfile(name: "After", voice: voice))
            try FileManager.default.copyItem(atPath: log, toPath: crashed)
        }
        try FileManager.default.moveItem(atPath: crashed, toPath: log)
        for name in ["library.db", "library.db-wal"] {
            try FileManager.default.removeItem(atPath: "\(places.library)/\(name)")
            try FileManager.default.copyItem(atPath: "\(copy)/\(name)", toPath: "\(places.library)/\(name)")
        }
        let names = try await vault.use { try await $0.profiles.profiles().map(\.name.text) }
        #expect(names == ["Default", "Before"])
    }

    @Test("keeps the sound of a newer database where an older one replaces it by mistake, and has it again with that")
    func olderPutOverByMistake() async throws {
        try await Self.record("Before", in: vault)
        let copy = "\(room.path)/copy"
        #expect(try await vault.backup(to: copy) == 0)
        let item = try await Self.record("After", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let newer = "\(room.path)/newer.db"
        try FileManager.default.moveItem(atPath: places.folder.database, toPath: newer)
        try FileManager.default.copyItem(atPath: "\(copy)/library.db", toPath: places.folder.database)
        try Data().write(to: URL(filePath: "\(places.folder.locks)/open"))
        try await vault.useOpen { open in
            #expect(FileManager.default.fileExists(atPath: sound), "opened after a crash")
            let kept = Set(try await open.database.referencedContents().map(\.id))
            let swept = try await open.contents.sweep(
                keeping: kept,
                parts: [],
                deleted: open.database.removedContents(),
                unassigned: .setAside,
                olderThan: .distantFuture
            )
            #expect((swept.removed, swept.unassigned, swept.foreign) == (0, 1, 0))
        }
        #expect(!FileManager.default.fileExists(atPath: sound))
        try FileManager.default.removeItem(atPath: places.folder.database)
        try FileManager.default.moveItem(atPath: newer, toPath: places.folder.database)
        let found = try await vault.check(readsData: true, repairs: false)
        #expect(found.isSound && found.aside == 1 && found.canBeRepaired)
        #expect(try await vault.backup(to: "\(room.path)/whole") == 0)
        let report = try await vault.check(readsData: true, repairs: true)
        #expect(report.isSound && report.aside == 0 && report.repairs == [.filesPutBack: 1])
        #expect(FileManager.default.fileExists(atPath: sound))
    }

    @Test(
        "is not made again, empty, where its database is missing or empty, and is whole once that is back",
        arguments: [true, false],
        [true, false]
    )
    func databaseGone(isMissing: Bool, isOnItsMachine: Bool) async throws {
        try await Self.record("Talk", in: vault)
        let (database, away) = (places.folder.database, "\(room.path)/away.db")
        try FileManager.default.moveItem(atPath: database, toPath: away)
        if !isMissing { try Data().write(to: URL(filePath: database)) }
        let files = try FileManager.default.contentsOfDirectory(atPath: room.device)
        let marks = files.filter { $0.hasSuffix(".generation") }
        #expect(marks.count == 1)
        if !isOnItsMachine { try FileManager.default.removeItem(atPath: "\(room.device)/\(marks[0])") }
        await #expect(throws: VaultError.databaseMissing) { try await vault.use { _ in } }
        await #expect(throws: VaultError.databaseMissing) { try await vault.rekey(passcode: nil) }
        #expect(FileManager.default.fileExists(atPath: database) == !isMissing)
        try? FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: away, toPath: database)
        let names = try await vault.use { try await $0.audio.items(matching: AudioQuery()).items.map(\.name.text) }
        #expect(names == ["Talk"])
    }

    @Test("opens for the first time where an earlier run ended before it had a database")
    func firstRunEnded() async throws {
        try await vault.keyStore.create().wipe()
        try Data().write(to: URL(filePath: places.folder.database))
        #expect(try await vault.use { try await $0.audio.items(matching: AudioQuery()).total } == 0)
    }

    @Test(
        "is looked at for weaknesses also where its keys are not used, which are named then",
        arguments: ["device", "library/slots.json"]
    )
    func keysNotUsed(path: String) async throws {
        try await vault.use { _ in }
        let machine = VaultDoctor.Machine(
            proc: "\(room.path)/proc",
            sys: "\(room.path)/sys",
            confinement: .whole,
            hasSecurityChip: false
        )
        let before = try await vault.findings(of: machine, home: room.path)
        #expect(!before.contains(VaultFinding(.keysNotUsed)))
        try #require(chmod("\(room.path)/\(path)", 0o755) == 0)
        await #expect(throws: VaultError.self) { try await vault.status() }
        let kinds = try await vault.findings(of: machine, home: room.path).map(\.kind)
        #expect(kinds.first == .keysNotUsed && kinds.contains(.strangersFilesShutIn))
    }

    /// Replaces a library by a backup from before its last use.
    private func putBackOlder() async throws {
        try await Self.record("Before", in: vault)
        let copy = "\(room.path)/copy"
        #expect(try await vault.backup(to: copy) == 0)
        try await Self.record("After", in: vault)
        try FileManager.default.removeItem(atPath: places.library)
        try FileManager.default.moveItem(atPath: copy, toPath: places.library)
    }

    @Test("is an older copy to a page until the person has seen that there, and then to nobody")
    func olderOnPage() async throws {
        try await putBackOlder()
        let (page, terminal) = (InteractiveVault(vault), InteractiveVault(vault, reporting: { _ in }))
        #expect(await !page.isOlderUnseen())
        for vault in [terminal, page, terminal] {
            try await vault.withLibrary { _ in
                #expect(await vault.isOlderUnseen())
            }
            #expect(await !vault.isOlderUnseen(), "it is closed")
        }
        try await page.withLibrary { _ in
            await page.noteOlderSeen()
            #expect(await !page.isOlderUnseen())
        }
        try await page.withLibrary { _ in
            #expect(await !page.isOlderUnseen())
        }
        try await vault.use(reporting: { Issue.record("It is said again: \($0)") }, { _ in })
    }

    @Test("is said once to be an older copy, by the first program that can say it, whichever had it open before")
    func olderThanSeen() async throws {
        try await putBackOlder()
        // Programs without a word for it: a check, a page, and one that changes something.
        #expect(try await vault.check(readsData: false, repairs: false).isSound)
        try await InteractiveVault(vault).withLibrary { _ in }
        for number in 1...3 { try await Self.record("Later \(number)", in: vault) }
        let (findings, finding) = AsyncStream.makeStream(of: VaultFinding.self)
        for _ in 0..<2 { try await vault.use(reporting: { finding.yield($0) }, { _ in }) }
        finding.finish()
        let said = await findings.reduce(into: []) { $0.append($1) }
        #expect(said == [VaultFinding(.olderThanThisMachineRemembers)])
    }

    @Test("does not take away a folder that stands where a copy would be made", arguments: ["copy", "copy.partial"])
    func copyInTheWay(name: String) async throws {
        try await Self.record("Talk", in: vault)
        for folder in Set([name, "copy.partial"]) {
            try FileManager.default.createDirectory(
                atPath: "\(room.path)/\(folder)",
                withIntermediateDirectories: false
            )
        }
        await #expect(throws: VaultError.system(errno: EEXIST)) { try await vault.backup(to: "\(room.path)/copy/") }
        #expect(FileManager.default.fileExists(atPath: "\(room.path)/copy.partial"))
    }

    @Test(
        "does not blame the library's folder where a copy cannot be made",
        arguments: ["missing/copy", "library/library.db/copy"]
    )
    func copyNowhere(path: String) async throws {
        try await vault.use { _ in }
        await #expect(throws: ExportError.folderNotUsable) { try await vault.backup(to: "\(room.path)/\(path)") }
    }

    @Test("removes the file of what was deleted where a crash came before that", arguments: [false, true])
    func unfinishedDeletion(isAfterCrash: Bool) async throws {
        let item = try await Self.record("Talk", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let saved = "\(room.path)/saved"
        try FileManager.default.copyItem(atPath: sound, toPath: saved)
        try await vault.use { try await $0.audio.delete([item]) }
        #expect(!FileManager.default.fileExists(atPath: sound))
        try FileManager.default.moveItem(atPath: saved, toPath: sound)
        if isAfterCrash { try Data().write(to: URL(filePath: "\(places.folder.locks)/open")) }
        let removed = try await vault.useOpen { try await $0.database.removedContents() }
        #expect(removed.isEmpty && !FileManager.default.fileExists(atPath: sound))
    }

    @Test("removes what is deleted also where a repair has moved its file aside", arguments: [false, true])
    func deletedWhileAside(isAfterCrash: Bool) async throws {
        let item = try await Self.record("Talk", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let name = (sound as NSString).lastPathComponent
        let aside = "\(places.contents)/aside/\(name)"
        let id = try #require(ContentID(name))
        let isSetAside = try await vault.useOpen { try await $0.contents.setAside(id) }
        #expect(isSetAside && FileManager.default.fileExists(atPath: aside))
        let saved = "\(room.path)/saved"
        try FileManager.default.copyItem(atPath: aside, toPath: saved)
        try await vault.use { try await $0.audio.delete([item]) }
        #expect(!FileManager.default.fileExists(atPath: aside))
        try FileManager.default.moveItem(atPath: saved, toPath: aside)
        if isAfterCrash { try Data().write(to: URL(filePath: "\(places.folder.locks)/open")) }
        let removed = try await vault.useOpen { try await $0.database.removedContents() }
        #expect(removed.isEmpty && !FileManager.default.fileExists(atPath: aside))
    }

    @Test("reads a file in its place, and has nothing to put back, where a copy was moved aside")
    func copyAside() async throws {
        let item = try await Self.record("Talk", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let id = try #require(ContentID((sound as NSString).lastPathComponent))
        #expect(try await vault.useOpen { try await $0.contents.setAside(id) })
        try FileManager.default.copyItem(atPath: "\(places.contents)/aside/\(id.text)", toPath: sound)
        let report = try await vault.check(readsData: true, repairs: false)
        #expect(report.isSound && report.aside == 0 && !report.canBeRepaired)
    }

    @Test("counts the unknown files that a repair has moved, and deletes those only by the call for it")
    func unknownAside() async throws {
        let item = try await Self.record("Talk", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let known = try #require(ContentID((sound as NSString).lastPathComponent))
        let unknown = try await vault.useOpen { open in
            let left = try await open.contents.seal(Data(count: 5_000), name: "file")
            for id in [known, left.id] { #expect(try await open.contents.setAside(id)) }
            return left
        }
        let report = try await vault.check(readsData: false, repairs: false)
        #expect(report.isSound && report.aside == 1)
        #expect((report.unknownAside, report.unknownAsideBytes) == (1, unknown.sealedSize))
        let deleted = try await vault.deleteUnknownAside()
        #expect((deleted.files, deleted.bytes) == (1, unknown.sealedSize))
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(places.contents)/aside")
        #expect(left == [known.text])
        #expect(try await vault.check(readsData: true, repairs: true).unknownAside == 0)
        #expect(FileManager.default.fileExists(atPath: sound), "a repair has put it back")
    }

    @Test("removes at its next opening what was sealed for a row that never came", arguments: [false, true])
    func interruptedWrite(isAfterCrash: Bool) async throws {
        let item = try await Self.record("Talk", in: vault)
        let sound = try await Self.sound(of: item, in: vault)
        let left = try await vault.useOpen { open in
            try await open.contents.write(.original(.text), Data("words".utf8), notedIn: open.database)
        }
        let file = "\(places.contents)/\(left.id.bucket)/\(left.id.text)"
        #expect(FileManager.default.fileExists(atPath: file))
        if isAfterCrash { try Data().write(to: URL(filePath: "\(places.folder.locks)/open")) }
        let removed = try await vault.useOpen { try await $0.database.removedContents() }
        #expect(removed.isEmpty && !FileManager.default.fileExists(atPath: file))
        #expect(FileManager.default.fileExists(atPath: sound), "a row names it")
    }

    @Test("has no file too many where a change of its keys ended between a file and its row")
    func interruptedRekey() async throws {
        try await Self.record("Talk", in: vault)
        try await vault.useOpen { open in
            try await open.database.write { database in
                let sql = """
                    CREATE TRIGGER refused BEFORE UPDATE OF content ON item BEGIN
                        SELECT RAISE(ABORT, 'refused');
                    END
                    """
                try database.execute(sql: sql)
            }
        }
        await #expect(throws: (any Error).self) { try await vault.rekey(passcode: nil) }
        let swept = try await vault.useOpen { open in
            let kept = Set(try await open.database.referencedContents().map(\.id))
            return try await open.contents.sweep(
                keeping: kept,
                parts: [],
                unassigned: .left,
                olderThan: .distantFuture,
                removes: false
            )
        }
        #expect((swept.removed, swept.unassigned, swept.missing.count) == (0, 0, 0))
        try await vault.useOpen { open in
            try await open.database.write { try $0.execute(sql: "DROP TRIGGER refused") }
        }
        #expect(try await vault.rekey(passcode: nil).isEmpty)
        #expect(try await vault.check(readsData: true, repairs: false).isSound)
    }

    @discardableResult
    private static func record(_ name: String, in vault: LibraryVault) async throws -> AudioItem.ID {
        try await vault.use { library in
            let order = try RecordingOrder(
                name: ItemName(name),
                sampleRate: SampleChunk.sampleRate,
                source: .microphone
            )
            let session = try await library.recordings.begin(order)
            try await library.recordings.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: session.id)
            return try await library.recordings.finish(session.id).id
        }
    }

    /// The path of the file with a recording's sound.
    private static func sound(of item: AudioItem.ID, in vault: LibraryVault) async throws -> String {
        let owners = try await vault.useOpen { try await $0.database.contentOwners() }
        let id = try #require(owners.first { $0.item == item }).reference.id
        return "\(vault.places.contents)/\(id.bucket)/\(id.text)"
    }

    /// A task that has entered the library and stays until it is cancelled or has to leave.
    private static func entered(_ vault: InteractiveVault) async -> Task<Void, any Error> {
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let inside = Task {
            try await vault.withLibrary { _ in
                entering.yield()
                try await untilCancelled()
            }
        }
        for await _ in entered { break }
        return inside
    }

    /// Sets a passcode as another program does.
    private static func setPasscode(in places: VaultPaths) async throws {
        let other = LibraryVault(places, KeyStore.Environment(floor: .least))
        let code = other.proposeRecoveryCode()
        try await other.setPasscode(
            Passcode(typed: "correct horse battery"),
            recoveryCode: code.confirmed(by: code.revealed())
        )
    }
}
