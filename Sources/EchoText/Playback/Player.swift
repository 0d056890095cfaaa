package import Foundation

/// Plays recordings in sequence, and handles the listener's commands.
///
/// It has no clock: the sink that takes the sound sets the pace. The position is stored every few seconds of sound, at
/// each pause and at the end.
package actor Player {
    /// An event of the playback, in order.
    package enum Event: Sendable, Hashable {
        /// A recording begins at `position` seconds.
        case began(AudioItem, position: Double)
        /// This many seconds of the recording have been sent to the loudspeaker.
        case moved(Double)
        case paused
        case resumed
        case speedChanged(Double)
        /// A recording is missing or damaged and was skipped; `code` is the error's.
        case passedOver(AudioItem.ID, code: String)
        /// The position could not be stored. Reported once.
        case placeNotKept(code: String)
        case ended
    }

    package struct Options: Sendable, Hashable {
        /// The step of ``Player/back()`` and ``Player/forward()``, in seconds.
        package var step = SettingsCatalogue.step.standard
        /// The speed, as a factor of the recordings' own.
        package var speed = SettingsCatalogue.playbackSpeed.standard
        /// Whether the queue starts again after its last recording.
        package var loops = SettingsCatalogue.loops.standard
        /// Whether it plays the person's queue, whose state is stored.
        package var keepsQueue = false

        package init() {}
    }

    /// The possible speeds.
    package static let speeds = 0.5...3.0
    /// The interval at which the position is stored, in seconds of sound.
    package static let keepingInterval = 5.0
    /// How much is read and played at once, in seconds; also the longest delay of a command.
    private static let piece = 0.1

    private enum Command {
        case seek(Double)
        case next
        case previous
        case stop
    }

    /// Why the playback of a recording ended.
    private enum Outcome {
        case finished
        case next
        case previous
        case stopped
    }

    private struct NowPlaying {
        let item: AudioItem
        let reader: RecordingReader
        /// The next sample to read.
        var position: Int

        var seconds: Double { Double(position) / Double(reader.sampleRate) }
    }

    private let library: any AudioLibrary
    private let store: any PlaybackStore
    private let output: any PlaybackOutput
    private let now: @Sendable () -> Date
    private let report: @Sendable (Event) async -> Void
    private let options: Options

    private var queue = PlaybackQueue()
    private var nowPlaying: NowPlaying?
    private var commands: [Command] = []
    private var isPaused = false
    private var speed: Double
    private var sink: (any PlaybackSink, sampleRate: Int)?
    /// `nil` when none is needed, or none was created since the last jump.
    private var stretcher: (any TempoStretcher, speed: Double)?
    private var waiting: CheckedContinuation<Void, Never>?
    private var lastKept = 0.0
    private var hasToldOfKeeping = false

    /// - Parameters:
    ///   - library: Holds the recordings.
    ///   - store: Holds the queue and the bookmark.
    ///   - output: Opens the loudspeaker.
    ///   - options: Speed, step, repetition and queue.
    ///   - now: Returns the time of day, for the bookmark.
    ///   - report: Called for each event before anything else happens; it may call the player's methods.
    package init(
        _ library: any AudioLibrary,
        store: any PlaybackStore,
        output: any PlaybackOutput,
        options: Options = Options(),
        now: @escaping @Sendable () -> Date = { Date() },
        report: @escaping @Sendable (Event) async -> Void
    ) {
        self.library = library
        self.store = store
        self.output = output
        self.options = options
        self.now = now
        self.report = report
        speed = min(max(options.speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    }

    // MARK: - Commands

    package func pause() async {
        guard !isPaused else { return }
        isPaused = true
        await report(.paused)
    }

    package func resume() async {
        guard isPaused else { return }
        isPaused = false
        await report(.resumed)
        wake()
    }

    package func togglePause() async {
        await (isPaused ? resume() : pause())
    }

    /// Continues at `seconds`; beyond the end it stops there, and ``resume()`` continues with the next entry.
    package func seek(to seconds: Double) { send(.seek(seconds)) }

    package func back() { skip(by: -options.step) }

    package func forward() { skip(by: options.step) }

    private func skip(by seconds: Double) {
        guard let nowPlaying else { return }
        let target = commands.reduce(nowPlaying.seconds) { if case .seek(let place) = $1 { place } else { $0 } }
        send(.seek(min(max(0, target), nowPlaying.reader.duration) + seconds))
    }

    package func next() { send(.next) }

    package func previous() { send(.previous) }

    /// Sets the speed, as a factor of the recordings' own; it is limited to ``speeds``.
    package func setSpeed(_ speed: Double) async {
        guard speed.isFinite else { return }
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        await report(.speedChanged(self.speed))
    }

    /// The speed, as a factor of the recordings' own.
    package var currentSpeed: Double { speed }

    /// Ends ``play(_:from:)``, and stores the position.
    package func stop() { send(.stop) }

    private func send(_ command: Command) {
        commands.append(command)
        wake()
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }

    // MARK: - Playing

    /// Plays `queue` from its current entry, or its first; returns at its end or after ``stop()``.
    ///
    /// - Parameters:
    ///   - queue: The recordings to play.
    ///   - position: Where to start in the first recording, in seconds.
    /// - Throws: ``AudioFileError``, ``VaultError``, or `CancellationError` when the calling task is cancelled; the
    ///   position is stored in each case.
    package func play(_ queue: PlaybackQueue, from position: Double = 0) async throws {
        self.queue = queue
        do {
            try await playAll(from: position)
            try await closeSink()
        } catch {
            await sink?.0.discard()
            sink = nil
            await keepPlace()
            throw error
        }
        await report(.ended)
    }

    private func playAll(from position: Double) async throws {
        let first = queue.current
        var step = try await choose { queue in
            // The entry may have been removed from the stored queue since it was read.
            let isThere = queue.entries.contains { $0.id == first }
            return try queue.start(at: isThere ? first : queue.current)
        }
        // The place is in the entry that was to be the first.
        var start = first == nil || queue.current == first ? position : 0
        var failures = 0
        while case .play(let entry) = step {
            let outcome: Outcome
            do {
                outcome = try await play(entry, from: start)
                failures = 0
            } catch let error where Self.concernsOnlyRecording(error) {
                await report(.passedOver(entry.item, code: (error as? any UserFacingError)?.code ?? ""))
                failures += 1
                outcome = failures < queue.entries.count ? .next : .stopped
            }
            await keepPlace()
            step = try await self.step(after: outcome)
            start = 0
        }
    }

    /// Whether the next recording can be played in spite of `error`.
    private static func concernsOnlyRecording(_ error: any Error) -> Bool {
        if case LibraryError.itemNotFound = error { return true }
        return [VaultError.contentDamaged, .contentMissing, .databaseDamaged].contains { $0 == error as? VaultError }
    }

    private func step(after outcome: Outcome) async throws -> PlaybackQueue.Step {
        let elapsed = nowPlaying?.seconds ?? 0
        let (heard, loops) = (queue.current, options.loops)
        let known = Set(queue.entries.map(\.id))
        if case .stopped = outcome { return .stop }
        return try await choose { queue in
            if case .previous = outcome { return queue.previous(elapsed: elapsed, loops: loops) }
            // Another player or command may have chosen another entry meanwhile, or removed the one that was heard.
            let isThere = queue.entries.contains { $0.id == heard }
            if queue.current != heard, let entry = queue.currentEntry {
                if case .next = outcome, isThere { return queue.next(loops: loops) }
                return .play(entry)
            }
            if isThere { return queue.next(loops: loops) }
            // After the last, which is removed, comes what was added since, or what comes after the last.
            let end = (queue.entries.lastIndex { known.contains($0.id) } ?? -1) + 1
            if let added = queue.entries[end...].first { return try queue.start(at: added.id) }
            return loops ? queue.next(loops: true) : .stop
        }
    }

    /// Takes the next step in the queue; in the person's own as it is stored now, where the step is kept.
    ///
    /// - Parameter step: May be called several times, each with the present queue.
    /// - Returns: The step.
    /// - Throws: What `step` throws; ``VaultError``.
    private func choose(
        _ step: (inout PlaybackQueue) throws -> PlaybackQueue.Step
    ) async throws -> PlaybackQueue.Step {
        guard options.keepsQueue else { return try step(&queue) }
        var taken = PlaybackQueue.Step.stop
        queue = try await store.change { taken = try step(&$0) }
        return taken
    }

    private func play(_ entry: PlaybackQueue.Entry, from start: Double) async throws -> Outcome {
        nowPlaying = nil
        guard let item = try await library.item(entry.item) else { throw LibraryError.itemNotFound }
        let reader = try await RecordingReader(of: library.sound(of: entry.item))
        nowPlaying = NowPlaying(item: item, reader: reader, position: reader.sample(at: start))
        lastKept = nowPlaying?.seconds ?? 0
        await report(.began(item, position: lastKept))
        defer { stretcher = nil }
        while true {
            try Task.checkCancellation()
            if let outcome = try await performCommands() { return outcome }
            if isPaused {
                try await rest()
            } else if try await !playPiece() {
                return .finished
            }
        }
    }

    /// Performs the commands given since the last piece.
    ///
    /// - Returns: Why the recording ends; `nil` when it does not.
    private func performCommands() async throws -> Outcome? {
        while !commands.isEmpty {
            let command = commands.removeFirst()
            if case .seek(let seconds) = command {
                await move(to: seconds)
                continue
            }
            if case .stop = command {
                commands = []
                return .stopped
            }
            if isPaused { await resume() }
            if case .next = command { return .next }
            return .previous
        }
        return nil
    }

    private func move(to seconds: Double) async {
        guard let reader = nowPlaying?.reader else { return }
        let position = reader.sample(at: seconds)
        nowPlaying?.position = position
        stretcher = nil
        await report(.moved(nowPlaying?.seconds ?? 0))
        if position == reader.count { await pause() }
    }

    /// Releases the loudspeaker until there is a command.
    private func rest() async throws {
        try await closeSink()
        await keepPlace()
        while isPaused, commands.isEmpty {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    self.waiting = waiting
                    if Task.isCancelled { wake() }
                }
            } onCancel: {
                Task { await self.wake() }
            }
            try Task.checkCancellation()
        }
    }

    /// - Returns: Whether there is more of the recording.
    private func playPiece() async throws -> Bool {
        guard let reader = nowPlaying?.reader, let position = nowPlaying?.position else { return false }
        let limit = max(1, Int(Double(reader.sampleRate) * Self.piece))
        let clip = try await reader.clip(from: position, limit: limit)
        let isLast = position + clip.samples.count == reader.count
        let sound = try await atSpeed(clip, isLast: isLast)
        try await openSink(sampleRate: reader.sampleRate).append(sound)
        nowPlaying?.position = position + clip.samples.count
        let seconds = nowPlaying?.seconds ?? 0
        await report(.moved(seconds))
        if abs(seconds - lastKept) >= Self.keepingInterval { await keepPlace() }
        return !isLast
    }

    private func atSpeed(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip {
        guard stretcher?.speed ?? 1 != speed else {
            return try await stretcher?.0.stretch(clip, isLast: isLast) ?? clip
        }
        // At a change of speed, the buffered sound of the old speed is played first.
        let rest = try await stretcher?.0.stretch(AudioClip(samples: [], sampleRate: clip.sampleRate), isLast: true)
        stretcher =
            speed == 1 ? nil : (try output.stretcher(sampleRate: clip.sampleRate, speed: speed), speed: speed)
        let sound = try await stretcher?.0.stretch(clip, isLast: isLast) ?? clip
        return AudioClip(samples: (rest?.samples ?? []) + sound.samples, sampleRate: clip.sampleRate)
    }

    // MARK: - Loudspeaker

    private func openSink(sampleRate: Int) async throws -> any AudioSink {
        if let sink, sink.sampleRate == sampleRate { return sink.0 }
        try await closeSink()
        let opened = try await output.open(sampleRate: sampleRate)
        sink = (opened, sampleRate)
        return opened
    }

    /// Plays the buffered sound to its end, and closes the loudspeaker.
    private func closeSink() async throws {
        try await sink?.0.finish()
        sink = nil
    }

    // MARK: - Place

    private func keepPlace() async {
        guard let nowPlaying else { return }
        lastKept = nowPlaying.seconds
        let store = store
        let (made, isOwnQueue) = (now(), options.keepsQueue)
        // A separate task, because the position is stored even after cancellation.
        let result = await Task {
            // The list that the page plays the same recording from continues after it.
            let present = try await isOwnQueue ? nil : store.bookmark()
            let bookmark = Bookmark(
                item: nowPlaying.item.id,
                position: nowPlaying.seconds,
                duration: nowPlaying.reader.duration,
                made: made,
                list: present?.item == nowPlaying.item.id ? present?.list : nil
            )
            try await store.save(bookmark)
        }.result
        if case .failure(let error) = result, !hasToldOfKeeping {
            hasToldOfKeeping = true
            await report(.placeNotKept(code: (error as? any UserFacingError)?.code ?? "unexpected"))
        }
    }
}

/// The starting point of a player.
package struct PlaybackStart: Sendable, Hashable {
    package let queue: PlaybackQueue
    /// The position in the first recording, in seconds.
    package let position: Double
    /// Whether it is the person's own queue.
    package let isOwnQueue: Bool

    /// Plays these recordings in sequence.
    package init(_ items: [AudioItem]) {
        var queue = PlaybackQueue()
        queue.add(items.map(\.id))
        self.init(queue, position: 0, isOwnQueue: false)
    }

    private init(_ queue: PlaybackQueue, position: Double, isOwnQueue: Bool) {
        self.queue = queue
        self.position = position
        self.isOwnQueue = isOwnQueue
    }

    /// The queue from its current entry on.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay`` when it is empty.
    package static func queue(in store: any PlaybackStore) async throws -> PlaybackStart {
        let queue = try await store.queue()
        guard !queue.entries.isEmpty else { throw PlaybackError.nothingToPlay }
        return PlaybackStart(queue, position: 0, isOwnQueue: true)
    }

    /// Starts at the bookmark: in the queue if its current recording has the bookmark, else in that recording alone.
    ///
    /// - Throws: ``PlaybackError/noBookmark``, ``PlaybackError/bookmarkLost(of:)``.
    package static func bookmark(in store: any PlaybackStore) async throws -> PlaybackStart {
        guard let bookmark = try await store.bookmark() else {
            guard let lost = try await store.lostBookmark() else { throw PlaybackError.noBookmark }
            throw PlaybackError.bookmarkLost(of: lost.name)
        }
        do {
            let queue = try await store.queue()
            if queue.currentEntry?.item == bookmark.item {
                return PlaybackStart(queue, position: bookmark.position, isOwnQueue: true)
            }
        } catch LibraryError.queueUnreadable {
            // The bookmark does not need it.
        }
        var alone = PlaybackQueue()
        alone.add([bookmark.item])
        return PlaybackStart(alone, position: bookmark.position, isOwnQueue: false)
    }

    /// Starts with the first recording of a list.
    ///
    /// - Throws: ``PlaybackError/nothingToPlay`` when the list is empty.
    package static func list(_ query: AudioQuery, in library: any AudioLibrary) async throws -> PlaybackStart {
        let items = try await library.items(matching: query).items
        guard !items.isEmpty else { throw PlaybackError.nothingToPlay }
        return PlaybackStart(items)
    }

    /// Starts at the bookmark, else with the queue, else with all recordings, newest first.
    ///
    /// - Parameters:
    ///   - store: The store of the bookmark and the queue.
    ///   - library: The library with the recordings.
    ///   - lost: Called when the bookmark cannot be read, or its recording was deleted.
    /// - Returns: The recordings to play.
    /// - Throws: ``PlaybackError/nothingToPlay``.
    package static func anything(
        in store: any PlaybackStore,
        _ library: any AudioLibrary,
        lost: (PlaybackError) -> Void = { _ in }
    ) async throws -> PlaybackStart {
        do {
            return try await bookmark(in: store)
        } catch PlaybackError.noBookmark {
        } catch PlaybackError.bookmarkLost(of: let name) {
            lost(.bookmarkLost(of: name))
        }
        do {
            return try await queue(in: store)
        } catch PlaybackError.nothingToPlay {
            var all = AudioQuery()
            all.limit = mostListed
            return try await list(all, in: library)
        }
    }

    /// The most recordings of a list that are played in sequence.
    package static let mostListed = 100_000
}

/// The port to loudspeakers and to changes of tempo.
package protocol PlaybackOutput: Sendable {
    /// Opens the loudspeaker.
    ///
    /// Its sink takes a clip when all but the last fifth of a second of what came before and of the clip itself has been
    /// heard. It may be left without sound for any time between two clips.
    ///
    /// - Throws: ``AudioFileError/noSoundOutput`` when there is none.
    func open(sampleRate: Int) async throws -> any PlaybackSink

    /// Makes a stretcher that plays one continuous run of sound at `speed`.
    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher
}

/// An open loudspeaker.
package protocol PlaybackSink: AudioSink {
    /// Drops what has not been heard yet, and stays open: the next clip is heard at once.
    ///
    /// It works in a cancelled task too, and does nothing after the end.
    func flush() async
}

/// Changes the tempo of speech without changing its pitch, for one run of sound, piece by piece.
package protocol TempoStretcher: Sendable {
    /// Stretches the next piece, and returns the output so far available.
    ///
    /// - Parameters:
    ///   - clip: The next piece.
    ///   - isLast: Whether it is the last piece; the length of the whole output is then exact to the sample.
    /// - Returns: Samples, possibly none yet.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func stretch(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip
}

/// Why nothing can be played.
package enum PlaybackError: UserFacingError, Equatable {
    /// The queue is empty, or a list shows no recording.
    case nothingToPlay
    /// There is no bookmark to resume from.
    case noBookmark
    /// The bookmark cannot be read, or its recording was deleted, whose name may be known.
    case bookmarkLost(of: ItemName?)

    package var failure: Failure {
        switch self {
        case .nothingToPlay:
            Failure(.missingInput, "playback.nothing-to-play", "There is nothing to play.")
                .suggesting("Name a recording, or fill the queue with “echotext queue add”.")
        case .noBookmark:
            Failure(.missingInput, "playback.no-bookmark", "There is no place to continue from.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        case .bookmarkLost(of: let name):
            Failure(
                .missingInput,
                "playback.bookmark-lost",
                "The place that was heard last is lost." + (name.map { " The recording “\($0.text)” is gone." } ?? "")
            )
            .suggesting("Name a recording; “echotext library list” shows them.")
        }
    }
}
