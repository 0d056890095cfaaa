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

    var json: Bool { answer.json }

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
        if json { try Answer.json(summary.withLock { $0 }) }
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
        var items: [AudioItem] = []
        for reference in recordings { items.append(try await library.audio.item(called: reference)) }
        return PlaybackStart(items)
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
        case .again, .mark, .compare, .digit, .enter: break
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
