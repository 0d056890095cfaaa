package import EchoText
import Foundation
import Testing

/// Checks every promise ``TextHistory`` makes, on an empty history.
///
/// - Parameters:
///   - history: The history to check.
///   - damage: Makes one of its texts unreadable.
/// - Throws: What the history or `damage` throws.
package func verifyContract<History: TextHistory>(
    of history: History,
    damage: (History, HistoryEntry.ID) async throws -> Void
) async throws {
    #expect(try await history.texts().entries.isEmpty)
    let start = Date(timeIntervalSince1970: 1_000_000)
    for number in 1...30 {
        try await history.add("Text \(number)", at: start + Double(number))
    }
    let entries = try await history.texts().entries
    #expect(entries.map(\.text) == (6...30).reversed().map { "Text \($0)" }, "the last 25, newest first")
    #expect(entries[0].spoken == start + 30)

    try await history.add("Text 10", at: start)
    #expect(
        try await history.texts().entries.first?.text == "Text 10",
        "one that is there moves, also when the clock was set back"
    )
    #expect(try await history.texts().entries.count == TextHistoryLimits.entries)
    #expect(Set(try await history.texts().entries.map(\.id)).count == TextHistoryLimits.entries)

    try await history.delete(entries[0].id)
    #expect(try await !history.texts().entries.contains { $0.text == "Text 30" })
    await #expect(throws: LibraryError.textNotFound) { try await history.delete(entries[0].id) }
    for odd in ["", "A\0B", "Two\nlines 😀"] {
        try await history.add(odd, at: start)
        #expect(try await history.texts().entries.first?.text == odd)
    }
    let whole = try await history.texts().entries
    try await damage(history, whole[1].id)
    #expect(
        try await history.texts() == SpokenTexts(entries: [whole[0]] + whole[2...], unreadable: [whole[1].id]),
        "the others are there"
    )
    await #expect(throws: LibraryError.textUnreadable) { try await history.entry(whole[1].id) }
    await #expect(throws: LibraryError.textNotFound) { try await history.entry(entries[0].id) }
    #expect(try await history.entry(whole[2].id) == whole[2])
    try await history.delete(whole[1].id)
    #expect(try await history.texts() == SpokenTexts(entries: [whole[0]] + whole[2...]))
    try await history.clear()
    #expect(try await history.texts().entries.isEmpty)
}

/// Checks every promise ``VoiceProfiles`` makes, on new ones.
package func verifyContract(of profiles: some VoiceProfiles) async throws {
    #expect(try await profiles.profiles() == [.standard])
    #expect(try await profiles.chosen() == ChosenProfile(profile: .standard, isStandIn: false))

    let voice = Voice.ID(rawValue: "piper/x")
    let zoe = VoiceProfile(name: "Zoë", voice: voice, speaker: 2, speed: 0.5, pitch: 2)
    var anna = VoiceProfile(name: "anna", voice: voice)
    for profile in [zoe, anna] { try await profiles.save(profile) }
    #expect(try await profiles.profiles() == [.standard, anna, zoe])
    #expect(try await profiles.unreadable() == 0)

    anna.name = "Berta"
    try await profiles.save(anna)
    #expect(try await profiles.profiles() == [.standard, anna, zoe], "one is replaced")
    let slow = try await profiles.change(anna.id) { $0.speed = 0.8 }
    anna.speed = 0.8
    #expect(slow == anna)
    #expect(try await profiles.profiles() == [.standard, anna, zoe], "one is changed")
    await #expect(throws: SynthesisError.speedOutOfRange(1.6)) {
        try await profiles.change(anna.id) { $0.speed = 1.6 }
    }
    await #expect(throws: LibraryError.profileNameTaken) { try await profiles.change(anna.id) { $0.name = "ZOË" } }
    await #expect(throws: LibraryError.profileNotFound) { try await profiles.change(VoiceProfile.ID()) { _ in } }
    #expect(try await profiles.profiles() == [.standard, anna, zoe], "what is refused changes nothing")
    for name in ["BERTA", "default"] as [ItemName] {
        await #expect(throws: LibraryError.profileNameTaken) {
            try await profiles.save(VoiceProfile(name: name, voice: voice))
        }
    }
    await #expect(throws: SynthesisError.speedOutOfRange(1.6)) {
        try await profiles.save(VoiceProfile(name: "Fast", voice: voice, speed: 1.6))
    }
    await #expect(throws: SynthesisError.pitchOutOfRange(0.4)) {
        try await profiles.save(VoiceProfile(name: "Deep", voice: voice, pitch: 0.4))
    }

    try await profiles.choose(zoe.id)
    #expect(try await profiles.chosen() == ChosenProfile(profile: zoe, isStandIn: false))
    await #expect(throws: LibraryError.profileNotFound) { try await profiles.choose(VoiceProfile.ID()) }
    try await profiles.delete(zoe.id)
    #expect(try await profiles.chosen() == ChosenProfile(profile: .standard, isStandIn: false))
    await #expect(throws: LibraryError.profileNotFound) { try await profiles.delete(zoe.id) }
    await #expect(throws: LibraryError.defaultProfileStays) { try await profiles.delete(.standard) }

    let natural = Voice.ID(rawValue: "piper/en_US-joe-medium")
    try await profiles.suggest(natural)
    #expect(try await profiles.chosen().profile.voice == natural, "nobody has chosen another")
    var changed = VoiceProfile.standard
    changed.voice = voice
    (changed.liveliness, changed.rhythm) = (0.5, 1.5)
    try await profiles.save(changed)
    #expect(try await profiles.chosen().profile == changed, "the default may be changed")
    try await profiles.suggest(natural)
    #expect(try await profiles.chosen().profile == changed, "what a person has chosen stays")
    changed.rhythm = 1.6
    await #expect(throws: SynthesisError.chanceOutOfRange(1.6)) { try await profiles.save(changed) }
}

/// Checks every promise ``PlaybackStore`` makes, on an empty store.
///
/// - Parameters:
///   - playback: The store to check.
///   - library: The recordings that are played.
///   - jobs: The jobs that add recordings to it.
/// - Throws: Unexpected errors.
package func verifyContract(
    of playback: some PlaybackStore,
    playing library: some AudioLibrary,
    filledBy jobs: some NarrationJobs
) async throws {
    #expect(try await playback.queue() == PlaybackQueue())
    #expect(try await playback.bookmark() == nil)
    let items = [try await SampleRecording.all[0].make(in: jobs), try await SampleRecording.all[1].make(in: jobs)]
    var queue = PlaybackQueue()
    queue.add([items[0].id, items[1].id, items[0].id])
    _ = try queue.start()
    try await playback.save(queue)
    #expect(try await playback.queue() == queue)
    #expect(try await !playback.save(PlaybackQueue(), insteadOf: PlaybackQueue()), "there is another one")
    #expect(try await playback.queue() == queue)
    let added = items[1].id
    await withTaskGroup(of: Void.self) { group in
        for _ in 1...8 { group.addTask { _ = try? await playback.change { $0.add([added]) } } }
    }
    let grown = try await playback.queue()
    #expect(grown.entries.count == queue.entries.count + 8, "changes at the same time lose nothing of each other")
    #expect(try await playback.save(queue, insteadOf: grown))
    #expect(try await playback.queue() == queue)

    let made = Date(timeIntervalSince1970: 5)
    var bookmark = Bookmark(item: items[0].id, position: 0.1, duration: 9, made: made, list: "order=name&offset=3")
    try await playback.save(bookmark)
    #expect(try await playback.bookmark() == bookmark)
    bookmark = Bookmark(item: items[0].id, position: 0.1, duration: 9, made: made)
    try await playback.save(bookmark)
    #expect(try await playback.bookmark() == bookmark)
    #expect(try await playback.lostBookmark() == nil)
    try await library.delete([items[0].id])
    #expect(try await playback.bookmark() == nil, "the recording is gone")
    #expect(try await playback.lostBookmark() == LostBookmark(name: items[0].name), "which one is known")
    queue.removeEntries(of: [items[0].id])
    #expect(try await playback.queue() == queue, "and so are its entries")
    try await playback.save(nil as Bookmark?)
    #expect(try await playback.bookmark() == nil)
    #expect(try await playback.lostBookmark() == nil, "nothing is kept")
    try await verifyBookmarks(in: playback, filledBy: jobs)
}

/// Checks that the listening position of a narration becomes its recording's bookmark, unless there is another one.
private func verifyBookmarks(in playback: some PlaybackStore, filledBy jobs: some NarrationJobs) async throws {
    var sample = SampleRecording.all[0]
    sample.length = 5
    _ = try await sample.make(in: jobs)
    #expect(try await playback.bookmark() == nil, "nothing of it was heard")
    let played = try await sample.make(in: jobs, played: 2.5)
    let bookmark = try #require(try await playback.bookmark())
    #expect((bookmark.item, bookmark.position, bookmark.list) == (played.id, 2.5, nil))
    _ = try await sample.make(in: jobs, played: 1.5)
    #expect(try await playback.bookmark() == bookmark, "another recording has it")
}

/// Checks every promise ``DraftStore`` makes, on an empty one.
package func verifyContract(of drafts: some DraftStore) async throws {
    #expect(try await drafts.drafts().isEmpty)
    try await drafts.save(Draft(page: "a", text: "Öösel\0on vaikne."))
    try await drafts.save(Draft(page: "a", text: "Öösel\0oli vaikne."))
    let first = Draft(page: "a", text: "Öösel\0oli vaikne.")
    #expect(try await drafts.drafts() == [first], "the last one, with its NUL")
    let second = Draft(page: "", text: "Another page's.")
    try await drafts.save(second)
    #expect(try await drafts.drafts() == [second, first], "the one saved last first")
    try await drafts.save(first)
    #expect(try await drafts.drafts() == [first, second])
    try await drafts.save(Draft(page: "a", text: ""))
    #expect(try await drafts.drafts() == [second], "another page's stays")
    #expect(try await drafts.rename("a", to: "b") == false, "it is not there")
    try await drafts.save(first)
    #expect(try await drafts.rename("", to: "c"))
    #expect(try await drafts.drafts() == [first, Draft(page: "c", text: second.text)])
    #expect(try await drafts.rename("a", to: "c"), "instead of that page's own")
    #expect(try await drafts.drafts() == [Draft(page: "c", text: first.text)])
    try await drafts.save(Draft(page: "c", text: ""))
    try await drafts.save(second)
    for number in 2...Draft.most { try await drafts.save(Draft(page: "\(number)", text: "\(number).")) }
    await #expect(throws: LibraryError.tooManyDrafts(limit: Draft.most)) {
        try await drafts.save(Draft(page: "one more", text: "Another."))
    }
    try await drafts.save(Draft(page: "2", text: "More of it."))
    let kept = try await drafts.drafts()
    #expect(kept.count == Draft.most && kept.first?.text == "More of it." && kept.last == second, "none is deleted")
    for draft in kept { try await drafts.save(Draft(page: draft.page, text: "")) }
    #expect(try await drafts.drafts().isEmpty)
}

/// Checks every promise ``SettingsStore`` makes, on an empty one.
package func verifyContract(of settings: some SettingsStore) async throws {
    #expect(try await settings.stored().isEmpty)
    #expect(try await settings.value(of: SettingsCatalogue.loops) == false)
    try await settings.set("playback.loop", to: "YES")
    try await settings.set("playback.step", to: "30.0")
    #expect(try await settings.stored() == ["playback.loop": "on", "playback.step": "30"])
    #expect(try await settings.value(of: SettingsCatalogue.loops))
    #expect(try await settings.value(of: SettingsCatalogue.step) == 30)

    await #expect(throws: LibraryError.unknownSetting(name: "step", nearest: "playback.step")) {
        try await settings.store("1", for: "step")
    }
    await #expect(throws: LibraryError.self) { try await settings.store("601", for: "playback.step") }
    #expect(try await settings.value(of: SettingsCatalogue.step) == 30, "the value it has is kept")
    #expect(try await !settings.store("20", for: "playback.step", insteadOf: nil), "there is another one")
    #expect(try await settings.value(of: SettingsCatalogue.step) == 30)
    #expect(try await settings.store("20", for: "playback.step", insteadOf: "30"))
    #expect(try await settings.value(of: SettingsCatalogue.step) == 20)

    try await settings.store(nil, for: "playback.step")
    #expect(try await settings.value(of: SettingsCatalogue.step) == 15)
    // Stored texts end at a NUL, so that none may have one.
    await #expect(throws: LibraryError.self) { try await settings.store("Mic\0rophone", for: "recording.input") }
    let dictionary = SettingsCatalogue.dictionary
    try await settings.store("Tartu = /tartu/", for: dictionary.name)
    try await settings.reset()
    #expect(try await settings.stored() == [dictionary.name: "Tartu = /tartu/"], "a person has written it")
    try await settings.store(nil, for: dictionary.name)
    #expect(try await settings.stored().isEmpty)
}

/// Checks every promise ``VoiceRegistry`` makes, on an empty one.
package func verifyContract(of voices: some VoiceRegistry) async throws {
    #expect(try await voices.records().isEmpty)
    let (one, other) = (Voice.ID(rawValue: "piper/en_US-x-low"), Voice.ID(rawValue: "espeak/et"))
    let liked = try await voices.update(one) { record in
        #expect(record == VoiceRecord(id: one), "a record begins empty")
        record.isFavorite = true
    }
    #expect(liked == VoiceRecord(id: one, isFavorite: true))

    let installation = InstalledVoice(
        voice: Voice(id: one, name: "en_US-x-low", language: "en-US", engine: .piper, sampleRate: 16_000),
        folder: "vits-piper-en_US-x-low",
        quality: .low,
        bytes: 63_000_000,
        licence: VoiceLicence(name: "CC0", isCommercial: true),
        receipt: ModelReceipt(
            entry: CatalogueEntry.ID(rawValue: "vits-piper-en_US-x-low"),
            url: "https://example.org/x",
            archiveBytes: 57_000_000,
            sha256: nil,
            installedAt: 1_790_000_000,
            files: ["en_US-x-low.onnx": 63_000_000]
        )
    )
    let whole = VoiceRecord(
        id: one,
        isFavorite: true,
        lastUsed: 1_790_000_100,
        speed: 11.5,
        disabledBy: "voice.set-aside",
        installation: installation
    )
    try await voices.update(one) { $0 = whole }
    try await voices.update(other) { $0.lastUsed = 5 }
    #expect(try await voices.records() == [one: whole, other: VoiceRecord(id: other, lastUsed: 5)])

    try await voices.note(.went(one))
    let gone = VoiceRecord(id: one, isFavorite: true, lastUsed: whole.lastUsed, speed: whole.speed)
    #expect(try await voices.records()[one] == gone, "the rest stays")
    try await voices.note(.came(installation))
    #expect(try await voices.records()[one]?.installation == installation)

    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
            group.addTask { _ = try? await voices.update(other) { $0.lastUsed = ($0.lastUsed ?? 0) + 1 } }
        }
    }
    #expect(try await voices.records()[other]?.lastUsed == 25, "no change comes into another")
}

/// Checks every promise ``APIKeys`` makes, on an empty one.
package func verifyContract(of keys: some APIKeys) async throws {
    #expect(try await keys.keys().isEmpty, "there is no key by itself")
    let time = Date(timeIntervalSince1970: 1_790_000_000)
    let editor = try await keys.add("Editor", at: time)
    let other = try await keys.add("Another", at: time + 1)
    #expect(editor != other)
    #expect(
        try await keys.keys() == [APIKey(name: "Another", created: time + 1), APIKey(name: "Editor", created: time)],
        "by name"
    )
    await #expect(throws: APIKeyError.nameTaken) { try await keys.add("Editor", at: time) }

    #expect(try await keys.use(editor, at: time + 10)?.name == "Editor")
    #expect(try await keys.use(APIKeySecret(), at: time + 10) == nil, "nobody has it")
    #expect(try await keys.keys().map(\.lastUsed) == [nil, time + 10], "the use is noted, of that key only")
    _ = try await keys.use(editor, at: time + 11)
    #expect(try await keys.keys().last?.lastUsed == time + 10, "not each of many")
    _ = try await keys.use(editor, at: time + 10 + APIKey.usePrecision)
    #expect(try await keys.keys().last?.lastUsed == time + 10 + APIKey.usePrecision)

    try await keys.remove("Editor")
    #expect(try await keys.use(editor, at: time) == nil, "it opens nothing any more")
    #expect(try await keys.use(other, at: time) != nil)
    #expect(try await keys.unreadable() == 0)
    #expect(try await keys.removeUnreadable() == 0)
    #expect(try await keys.use(other, at: time) != nil, "one that can be read stays")
    for name in ["Editor", "Nobody"] as [ItemName] {
        await #expect(throws: APIKeyError.notFound) { try await keys.remove(name) }
    }
    for number in 1..<APIKey.most { _ = try await keys.add(try ItemName("n\(number)"), at: time) }
    await #expect(throws: APIKeyError.tooMany(limit: APIKey.most)) { try await keys.add("Editor", at: time) }
}
