import Testing

@testable import EchoText

@Suite("A turn to repeat a segment")
struct SpokenTurnTests {
    /// The sound of a turn, in windows of 32 ms, and what follows from it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let heard: [Stretch]
        let hasSpoken: Bool
        let isOver: Bool

        init(_ description: String, _ heard: [Stretch], hasSpoken: Bool, isOver: Bool) {
            testDescription = description
            (self.heard, self.hasSpoken, self.isOver) = (heard, hasSpoken, isOver)
        }
    }

    enum Stretch: Sendable {
        case voice(Int)
        case silence(Int)

        var windows: [VoiceWindow] {
            switch self {
            case .voice(let count): Array(repeating: VoiceWindow(isSpeech: true, level: -20), count: count)
            case .silence(let count): Array(repeating: VoiceWindow(isSpeech: false, level: -90), count: count)
            }
        }
    }

    private static let cases = [
        Case("nothing", [], hasSpoken: false, isOver: false),
        Case("silence", [.silence(500)], hasSpoken: false, isOver: false),
        Case("a voice", [.voice(10)], hasSpoken: true, isOver: false),
        Case("a voice and a short silence", [.voice(10), .silence(27)], hasSpoken: true, isOver: false),
        Case("a voice and 0.9 s of silence", [.voice(10), .silence(28)], hasSpoken: true, isOver: true),
        Case("a voice after silence", [.silence(100), .voice(10), .silence(28)], hasSpoken: true, isOver: true),
        Case("a pause in it", [.voice(20), .silence(20), .voice(1), .silence(27)], hasSpoken: true, isOver: false),
        Case("a voice that continues", [.voice(10), .silence(28), .voice(1)], hasSpoken: true, isOver: false),
        Case("a click", [.voice(3), .silence(28)], hasSpoken: false, isOver: false),
        Case("short words", [.voice(5), .silence(5), .voice(5), .silence(28)], hasSpoken: true, isOver: true),
        Case(
            "a click now and then",
            [.voice(5), .silence(28), .voice(5), .silence(28), .voice(5), .silence(28)],
            hasSpoken: false,
            isOver: false
        ),
    ]

    @Test("is over once somebody has spoken and fallen silent", arguments: cases)
    func ends(_ row: Case) {
        let windows = row.heard.flatMap(\.windows)
        var whole = SpokenTurn()
        whole.add(windows)
        #expect((whole.hasSpoken, whole.isOver) == (row.hasSpoken, row.isOver))
        var cut = SpokenTurn()
        for window in windows { cut.add([window]) }
        #expect(cut == whole, "however the sound is divided")
    }
}
