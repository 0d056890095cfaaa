import ArgumentParser
import AudioFiles
import EchoText
import Foundation
import Synchronization

/// `echotext play`.
struct Play: LibraryCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play recordings, the queue, or what was heard last.",
        discussion: """
            Without a recording it resumes where listening stopped, or else plays the queue, or else all recordings, newest first. \
            With the conditions of “echotext library list” it plays that list, and the queue stays as it is. Where you are \
            is kept every few seconds.

            Keys: space pauses; ← and → go back and forward (by the setting playback.step); n and p are next and previous; \
            + and - change the speed, the pitch stays; q ends.

            Examples:
              echotext play "A book" --from 12:30
              echotext play --queue --speed 1.5
              echotext play --continue
              echotext play --favorites --sort name
            """
    )

    @Argument(help: "Recordings, by id or name, to be played one after another.")
    var recordings: [String] = []

    @Flag(help: "Play the queue.")
    var queue = false

    @Flag(name: .customLong("continue"), help: "Continue where listening stopped.")
    var resumes = false

    @Option(help: ArgumentHelp("Where to begin: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var from: PlayTime?

    @Option(
        help: ArgumentHelp(
            "Times the recordings' own pace, 0.5 to 3; the setting playback.speed when absent.",
            valueName: "factor"
        )
    )
    var speed: Double?

    @OptionGroup(title: "Which")
    var which: ListConditions

    @Option(help: ArgumentHelp("Only what was narrated at this speed, or a range of speeds.", valueName: "x|a..b"))
    var narratedSpeed: NumberRange?

    @OptionGroup
    var answer: JSONOption

    /// How much one key press changes the speed.
    private static let speedStep = 0.1

    func validate() throws {
        guard [!recordings.isEmpty, queue, resumes, isList].filter({ $0 }).count <= 1 else {
            throw ValidationError("Give recordings, --queue, --continue or conditions of a list, only one of them.")
        }
        if let speed, !Player.speeds.contains(speed) { throw ValidationError("--speed takes 0.5 to 3.") }
    }

    private var isList: Bool { which.isAny || narratedSpeed != nil }

    func run(in library: Library) async throws {
        try await run(in: library, output: Loudspeaker())
    }

    func run(in library: Library, output: any PlaybackOutput) async throws {
        let start = try await start(in: library)
        var options = Player.Options()
        options.step = try await library.settings.value(of: SettingsCatalogue.step)
        options.loops = try await library.settings.value(of: SettingsCatalogue.loops)
        options.keepsQueue = start.isOwnQueue
        if let speed {
            options.speed = speed
        } else {
            options.speed = try await library.settings.value(of: SettingsCatalogue.playbackSpeed)
        }
        let line = PlayLine(isTerminal: isatty(STDERR_FILENO) == 1, speed: options.speed)
        let summary = Mutex(PlaySummary())
        let player = Player(library.audio, store: library.playback, output: output, options: options) { event in
            summary.withLock { $0.take(event) }
            await line.show(event)
        }
        let keys = TerminalMode.enterKeys() ? Task { try await Self.handleKeys(player) } : nil
        defer { TerminalMode.restore() }
        do {
            try await player.play(start.queue, from: from?.seconds ?? start.position)
        } catch {
            keys?.cancel()
            await line.clear()
            throw error
        }
        keys?.cancel()
        if json { try CommandOutput.json(summary.withLock { $0 }) }
    }

    private func start(in library: Library) async throws -> PlaybackStart {
        if queue { return try await .queue(in: library.playback) }
        if resumes { return try await .bookmark(in: library.playback) }
        if isList {
            var query = which.query
            query.speed = narratedSpeed?.range
            query.limit = PlaybackStart.mostListed
            return try await .list(query, in: library.audio)
        }
        guard !recordings.isEmpty else {
            return try await .anything(in: library.playback, library.audio) {
                EchoTextCommand.say("warning: \($0.message)")
            }
        }
        return PlaybackStart(
            try await ReferenceFailure.each(of: recordings) { try await library.audio.item(called: $0) }
        )
    }

    private static func handleKeys(_ player: Player) async throws {
        let keyboard = Keyboard()
        while let keys = try await keyboard.keys() {
            for key in keys { await obey(key, player) }
        }
    }

    private static func obey(_ key: PlayerKey, _ player: Player) async {
        switch key {
        case .pause: await player.togglePause()
        case .back: await player.back()
        case .forward: await player.forward()
        case .next: await player.next()
        case .previous: await player.previous()
        case .again, .mark, .compare, .align, .digit, .enter: break
        case .faster: await player.setSpeed(player.currentSpeed + speedStep)
        case .slower: await player.setSpeed(player.currentSpeed - speedStep)
        case .quit: await player.stop()
        case .suspend:
            await player.pause()
            TerminalMode.suspend()
        }
    }
}

/// “90”, “1:30” or “1:02:03”.
struct PlayTime: ExpressibleByArgument, Equatable {
    let seconds: Double

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, let rest = Double(last), rest.isFinite, rest >= 0
        else {
            return nil
        }
        var whole = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard let number = UInt16(part), index == 0 || number < 60 else { return nil }
            whole = (whole + Double(number)) * 60
        }
        guard parts.count == 1 || rest < 60 else { return nil }
        seconds = whole + rest
    }
}

/// Shows the playback on one line of the terminal: name, position and length.
actor PlayLine {
    private let isTerminal: Bool
    private var item: AudioItem?
    private var position = 0.0
    private var speed: Double
    private var isPaused = false
    private var shown = ""

    init(isTerminal: Bool, speed: Double) {
        self.isTerminal = isTerminal
        self.speed = speed
    }

    func show(_ event: Player.Event) {
        switch event {
        case .began(let item, let position):
            (self.item, self.position) = (item, position)
            if !isTerminal { EchoTextCommand.say("playing \(item.mention)") }
        case .moved(let position): self.position = position
        case .paused: isPaused = true
        case .resumed: isPaused = false
        case .speedChanged(let speed): self.speed = speed
        case .passedOver(_, let code): note("a recording is skipped: \(Self.words(for: code))")
        case .placeNotKept: note("where you are cannot be kept")
        case .ended: return clear()
        }
        draw()
    }

    /// Clears the line.
    func clear() {
        guard isTerminal, !shown.isEmpty else { return }
        shown = ""
        EchoTextCommand.show("\r\u{1B}[K")
    }

    private func note(_ words: String) {
        clear()
        EchoTextCommand.say(words)
    }

    private func draw() {
        guard isTerminal, let item else { return }
        let times = "\(CommandOutput.time(position)) / \(CommandOutput.time(item.duration))"
        let pace = speed == 1 ? "" : String(format: "  ×%.2f", speed)
        let line = "\(isPaused ? "⏸" : "▶") \(times)\(pace)  \(CommandOutput.harmless(item.name.text))"
        guard line != shown else { return }
        shown = line
        // A long name is truncated at the terminal's edge, not wrapped.
        EchoTextCommand.show("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h")
    }

    private static func words(for code: String) -> String {
        switch code {
        case LibraryError.itemNotFound.code: "it is not in the library any more"
        case VaultError.contentMissing.code: "its sound is missing"
        case VaultError.databaseDamaged.code: "it cannot be read"
        default: "its sound is damaged"
        }
    }
}

/// The playback's summary, for `echotext play --json`.
struct PlaySummary: Encodable {
    /// A recording, and the part of it that was played last.
    struct Played: Encodable {
        let id: AudioItem.ID
        let name: String
        /// In seconds.
        let from: Double
        /// In seconds; the recording's length if it was played to its end.
        var to: Double
    }

    struct PassedOver: Encodable {
        let id: AudioItem.ID
        /// The code of the error.
        let code: String
    }

    private(set) var played: [Played] = []
    private(set) var passedOver: [PassedOver] = []

    mutating func take(_ event: Player.Event) {
        switch event {
        case .began(let item, let position):
            played.append(Played(id: item.id, name: item.name.text, from: position, to: position))
        case .moved(let position):
            if !played.isEmpty { played[played.count - 1].to = position }
        case .passedOver(let id, let code): passedOver.append(PassedOver(id: id, code: code))
        case .paused, .resumed, .speedChanged, .placeNotKept, .ended: break
        }
    }
}
