import OrderedCollections

/// Checks narrations in a server, one at a time, and synthesizes sentences of them again.
///
/// Findings stay in memory while the library is open, and are never stored.
///
/// ```swift
/// try await checks.begin(item)
/// let findings = try await checks.status(of: item)?.findings
/// ```
package actor SpeechChecks {
    private let library: Library
    private let narrator: Narrator
    private let tools: TranscriptionTools
    private let events: StudioEvents
    private let lanes: @Sendable () async -> Int
    private var queue = JobQueue<Check, Never>()
    private var speaking: [AudioItem.ID: Task<Spoken, any Error>] = [:]
    private var runs = 0

    private struct Check: Identifiable {
        /// Distinguishes this check from others of the same narration.
        let run: Int
        var status: SpeechCheckStatus

        var id: AudioItem.ID { status.item }
    }

    /// A sentence that was spoken again.
    package struct Spoken: Sendable {
        /// The recording as it is now.
        package let item: AudioItem
        /// The sentence with its new times.
        package let sentence: TimedSentence
        /// How far the times of captions are kept; `nil` where none are to be.
        package let times: CaptionDelays?
        /// Parts of the sentence that could not be spoken, as ``Passage/unspoken(beside:)`` names them.
        package let unspoken: [String]
        /// The check of the narration, if any.
        package let check: SpeechCheckStatus?
    }

    /// - Parameters:
    ///   - library: The library with the recordings and the settings.
    ///   - narrator: Synthesizes the sentences.
    ///   - tools: Transcribe the recordings.
    ///   - events: Receives progress, results and changed recordings.
    ///   - lanes: Returns how many passages are transcribed at once.
    package init(
        in library: Library,
        by narrator: Narrator,
        with tools: TranscriptionTools,
        events: StudioEvents,
        lanes: @escaping @Sendable () async -> Int
    ) {
        self.library = library
        self.narrator = narrator
        self.tools = tools
        self.events = events
        self.lanes = lanes
    }

    /// Whether a check is running or queued, or a sentence is being synthesized.
    package var isBusy: Bool { !speaking.isEmpty || queue.jobs.values.contains { $0.status.isUnderWay } }

    // MARK: - Checking

    /// Starts or queues the check of a narration, and drops an earlier check of it.
    ///
    /// - Parameters:
    ///   - id: The narration; if its check is running, that continues.
    ///   - recognizer: The recognizer; `nil` for the first in the person's order that knows the language.
    /// - Returns: The state of the check.
    /// - Throws: ``LibraryError/itemNotFound``, ``SpeechCheckError``, ``RecognitionError/noRecognizer``,
    ///   ``RecognitionError/noSuchRecognizer(_:)``, ``RecognitionError/unsupportedLanguage(_:)``, ``VaultError``.
    @discardableResult
    package func begin(_ id: AudioItem.ID, by recognizer: Recognizer.ID? = nil) async throws -> SpeechCheckStatus {
        let item = try await item(id)
        let sentences = try await library.audio.narratedSentences(of: item)
        let recognizer = try await self.recognizer(recognizer, for: item.language)
        guard !queue.isClosed else { throw VaultError.locked }
        if let status = queue.jobs[id]?.status, status.isUnderWay { return status }
        guard speaking[id] == nil else { throw SpeechCheckError.busy }
        runs += 1
        queue.take(Check(run: runs, status: SpeechCheckStatus(of: id, by: recognizer, sentences: sentences.count)))
        queue.lineUp(id)
        beginNext()
        guard let status = queue.jobs[id]?.status else { throw VaultError.locked }
        if status.state == .queued { await publish(id) }
        return status
    }

    /// - Returns: `nil` for a narration that has not been checked since the library was opened.
    /// - Throws: ``LibraryError/itemNotFound``, ``VaultError``.
    package func status(of id: AudioItem.ID) async throws -> SpeechCheckStatus? {
        guard try await library.audio.item(id) != nil else {
            await forget(id)
            throw LibraryError.itemNotFound
        }
        return queue.jobs[id]?.status
    }

    /// Stops a check, and drops its findings.
    package func forget(_ id: AudioItem.ID) async {
        guard queue.remove(id) != nil else { return }
        if queue.isAtWork(id), let task = queue.tasks[id] {
            task.cancel()
            await task.value
        }
        if queue.jobs[id] == nil { await events.post(.speechCheck(id, nil)) }
    }

    /// The narrations whose checks this process knows of.
    var items: Set<AudioItem.ID> { Set(queue.jobs.keys) }

    /// Stops the checks of narrations that were deleted, and drops their findings.
    package func endAll(of items: Set<AudioItem.ID>) async {
        for id in items where queue.remove(id) != nil {
            // Its recognizer may need a while to stop; its lane is free then.
            queue.tasks[id]?.cancel()
            await events.post(.speechCheck(id, nil))
        }
    }

    /// Stops all checks, and drops them; a sentence that is being synthesized is not replaced.
    package func close() async {
        queue.close()
        queue.removeAll()
        let hearing = queue.tasks.values
        for task in hearing { task.cancel() }
        for task in speaking.values { task.cancel() }
        for task in hearing { await task.value }
        for task in speaking.values { _ = await task.result }
    }

    // MARK: - Speaking

    /// Synthesizes a sentence again, replaces its sound, and checks it if the narration was checked.
    ///
    /// - Parameters:
    ///   - number: The sentence's number, from 1.
    ///   - id: The narration.
    ///   - voices: The voices that can speak now.
    /// - Returns: The updated recording and sentence.
    /// - Throws: ``SpeechCheckError``, ``LibraryError``, ``SynthesisError``, ``VaultError``; after ``RecognitionError``
    ///   the sentence was replaced, but not checked.
    package func speak(_ number: Int, of id: AudioItem.ID, voices: [Voice]) async throws -> Spoken {
        guard !queue.isClosed else { throw VaultError.locked }
        guard queue.jobs[id]?.status.isUnderWay != true, speaking[id] == nil else { throw SpeechCheckError.busy }
        // A separate task, because the caller may be cancelled and the findings have to match the sound.
        let task = Task {
            let speaking = SentenceSpeaking(in: library, by: narrator, voices: voices)
            let (item, sentence, times, unspoken) = try await speaking.speak(number, of: id)
            await events.post(.library(changed: [id]))
            try await recheck(number, of: item)
            let status = queue.jobs[id]?.status
            return Spoken(item: item, sentence: sentence, times: times, unspoken: unspoken, check: status)
        }
        speaking[id] = task
        defer { speaking[id] = nil }
        do {
            return try await task.value
        } catch is CancellationError where queue.isClosed {
            throw VaultError.locked
        }
    }

    /// Updates the findings after a sentence was replaced.
    private func recheck(_ number: Int, of item: AudioItem) async throws {
        guard let check = queue.jobs[item.id], check.status.state == .done else { return }
        let sentences = try await library.audio.timings(of: item.id)
        change(item.id, in: check.run) { status in
            status.findings = status.findings.map { finding in
                guard sentences.indices.contains(finding.number - 1) else { return finding }
                return finding.moved(to: sentences[finding.number - 1], sampleRate: item.sampleRate)
            }
        }
        await publish(item.id)
        let finding = try await listen(to: item, by: check.status.recognizer) { check, reader in
            try await check.check(number, of: sentences, in: reader)
        }
        change(item.id, in: check.run) { status in
            status.spokenAgain.insert(number)
            status.findings.removeAll { $0.number == number }
            status.take([finding].compactMap(\.self))
        }
        await publish(item.id)
    }

    // MARK: - Turns

    private func beginNext() {
        for id in queue.begin() {
            guard let run = queue.jobs[id]?.run else { continue }
            queue.jobs[id]?.status.state = .running
            queue.tasks[id] = Task { await self.run(id, run) }
        }
    }

    private func run(_ id: AudioItem.ID, _ run: Int) async {
        if queue.jobs[id]?.run == run { await publish(id) }
        let state: SpeechCheckStatus.State
        do {
            try await performCheck(of: id, run)
            state = .done
        } catch {
            state = .failed(Failure(error))
        }
        queue.free(id)
        // A check that was stopped meanwhile stays as it is.
        change(id, in: run) { $0.state = state }
        if queue.jobs[id]?.run == run { await publish(id) }
        beginNext()
    }

    private func performCheck(of id: AudioItem.ID, _ run: Int) async throws {
        guard let recognizer = queue.jobs[id]?.status.recognizer else { throw CancellationError() }
        let item = try await item(id)
        let sentences = try await library.audio.narratedSentences(of: item)
        try await listen(to: item, by: recognizer) { check, reader in
            _ = try await check.check(sentences, in: reader) { await self.take($0, of: id, run) }
        }
    }

    private func take(_ progress: SpeechCheck.Progress, of id: AudioItem.ID, _ run: Int) async {
        change(id, in: run) { status in
            status.heard = progress.heard
            status.take(progress.findings)
        }
        if queue.jobs[id]?.run == run { await publish(id) }
    }

    // MARK: - Hearing

    /// Opens a recognizer for a narration, and closes it when `work` is done.
    private func listen<Output: Sendable>(
        to item: AudioItem,
        by recognizer: Recognizer,
        _ work: @Sendable (SpeechCheck, RecordingReader) async throws -> Output
    ) async throws -> Output {
        let reader = try await RecordingReader(of: library.audio.sound(of: item.id))
        let dictionary = try await library.settings.dictionary().map { try PronunciationDictionary(parsing: $0) }
        let language = recognizer.takesLanguage && item.language != "und" ? item.language : nil
        let session = try await tools.recognizer.open(recognizer.id, RecognitionSettings(language: language))
        let check = SpeechCheck(
            by: session,
            TextPreparation(language: item.language, dictionary: dictionary),
            lanes: await lanes(),
            conversion: tools.conversion
        )
        return try await session.closing { try await work(check, reader) }
    }

    /// Finds the local recognizer for a language.
    private func recognizer(_ wanted: Recognizer.ID?, for language: String) async throws -> Recognizer {
        let order = try await library.settings.recognizerOrder()
        let offered = order.sorted(try await tools.recognizer.recognizers(), for: language)
            .filter { $0.engine != .remote }
        if let wanted {
            guard !wanted.isOfService else { throw SpeechCheckError.needsLocalRecognizer }
            guard let found = offered.first(where: { $0.id == wanted }) else {
                throw RecognitionError.noSuchRecognizer(wanted)
            }
            return found
        }
        guard let first = offered.first else { throw RecognitionError.noRecognizer }
        guard first.knows(language) else { throw RecognitionError.unsupportedLanguage(language) }
        return first
    }

    private func item(_ id: AudioItem.ID) async throws -> AudioItem {
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        return item
    }

    // MARK: - Status

    /// Changes the state of a check unless it was replaced by another.
    private func change(_ id: AudioItem.ID, in run: Int, _ change: (inout SpeechCheckStatus) -> Void) {
        guard var check = queue.jobs[id], check.run == run else { return }
        change(&check.status)
        queue.jobs[id] = check
    }

    private func publish(_ id: AudioItem.ID) async {
        guard let status = queue.jobs[id]?.status else { return }
        await events.post(.speechCheck(id, status))
    }
}

extension SpeechCheckStatus {
    fileprivate mutating func take(_ found: [SpeechFinding]) {
        // Returns early, so that copies of an unchanged list share their storage.
        guard !found.isEmpty else { return }
        findings = (findings + found).sorted { $0.number < $1.number }
    }
}

/// The state of a speech check, for a person.
package struct SpeechCheckStatus: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// Another narration is being checked.
        case queued
        case running
        case done
        case failed(Failure)
    }

    package let item: AudioItem.ID
    package let recognizer: Recognizer
    package var state = State.queued
    /// The number of checked sentences.
    package var heard = 0
    /// Sentences of the narration.
    package let total: Int
    /// The findings so far, in the order of the text.
    package var findings: [SpeechFinding] = []
    /// The sentences that were spoken again since, by their numbers.
    package var spokenAgain: Set<Int> = []

    package init(of item: AudioItem.ID, by recognizer: Recognizer, sentences: Int) {
        self.item = item
        self.recognizer = recognizer
        total = sentences
    }

    package var isUnderWay: Bool { state == .queued || state == .running }

    /// From 0 to 1.
    package var progress: Double {
        if state == .done { return 1 }
        return total == 0 ? 0 : Double(heard) / Double(total)
    }
}
