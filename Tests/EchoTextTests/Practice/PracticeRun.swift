import Testing

@testable import EchoText

/// A practice session with a clock that only tests move, and the last sound or pause that it began.
final class PracticeRun {
    var session: PracticeSession
    var seconds = 0.0
    private(set) var token = 0

    init(_ settings: PracticeSettings = .init(), from segment: Int = 1, known: Int = 3, isComplete: Bool = true) {
        session = PracticeSession(settings, from: segment, known: known, isComplete: isComplete)
    }

    @discardableResult
    func on(_ event: PracticeEvent, after wait: Double = 0) -> [PracticeAction] {
        seconds += wait
        let actions = session.handle(event, at: .seconds(seconds))
        for action in actions {
            switch action {
            case .play(let token, _, _), .startEcho(let token, _, _, _): self.token = token
            default: break
            }
        }
        return actions
    }

    /// The present sound ends, or the present pause.
    @discardableResult
    func finishSound(_ length: Double = 2) -> [PracticeAction] {
        on(.playbackFinished(token, seconds: length), after: length)
    }

    @discardableResult
    func finishEcho(after wait: Double = 2) -> [PracticeAction] { on(.echoElapsed(token), after: wait) }

    /// Ends sounds and pauses until none is active.
    ///
    /// - Returns: The played segments, in order.
    func playThrough(most: Int = 1_000) -> [Int] {
        var heard: [Int] = []
        for _ in 0..<most {
            switch session.phase {
            case .playing:
                heard.append(session.position.segment)
                finishSound()
            case .echo: finishEcho()
            case .paused: on(.resume)
            case .idle, .finished: return heard
            }
        }
        Issue.record("it does not end")
        return heard
    }
}

extension PracticeSettings {
    static func with(_ change: (inout PracticeSettings) -> Void) -> PracticeSettings {
        var settings = PracticeSettings()
        change(&settings)
        return settings
    }
}
