import Testing

@testable import EchoTextCLI

@Suite("Keys of a player")
struct KeyboardTests {
    @Test(
        "mean what the help says",
        arguments: [
            (" ", [.pause]), ("n", [.next]), ("P", [.previous]), ("r", [.again]), ("+", [.faster]), ("=", [.faster]),
            ("-", [.slower]),
            ("q", [.quit]), ("\u{3}", [.quit]), ("\u{4}", [.quit]), ("\u{1A}", [.suspend]),
            ("h", [.mark]), ("b", [.compare]), ("a", [.align]), ("A", [.align]),
            ("12\r", [.digit(1), .digit(2), .enter]), ("0\n", [.digit(0), .enter]),
            ("\u{1B}[C", [.forward]), ("\u{1B}[D", [.back]), ("\u{1B}OC", [.forward]), ("\u{1B}OD", [.back]),
            ("\u{1B}[1;5C", [.forward]), ("n \u{1B}[Cq", [.next, .pause, .forward, .quit]),
        ] as [(String, [PlayerKey])]
    )
    func known(_ typed: String, _ keys: [PlayerKey]) {
        #expect(PlayerKey.keys(in: Array(typed.utf8)) == keys)
    }

    @Test(
        "that mean nothing do nothing, however they are spelt",
        arguments: [
            "", "x", "\u{1B}", "\u{1B}[", "\u{1B}[A", "\u{1B}[5~", "\u{1B}[1;2", "\u{1B}OP", "õ", "夜", "\u{1B}\u{1B}",
        ]
    )
    func unknown(_ typed: String) {
        #expect(PlayerKey.keys(in: Array(typed.utf8)).isEmpty)
    }

    @Test("are read from any bytes without a trap, and a whole key behind rubbish is found")
    func rubbish() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let bytes = (0..<Int.random(in: 0...12)).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(PlayerKey.keys(in: bytes).count <= bytes.count)
        }
        #expect(PlayerKey.keys(in: [0xFF, 0xFE, 0x80] + Array("q".utf8)) == [.quit])
        #expect(PlayerKey.keys(in: Array("\u{1B}[5~n".utf8)) == [.next])
    }

    @Test(
        "and times: seconds, minutes and hours",
        arguments: [("90", 90), ("1:30", 90), ("1:02:03.5", 3_723.5), ("0", 0), ("75:00", 4_500)] as [(String, Double)]
    )
    func times(_ text: String, _ seconds: Double) {
        #expect(PlayTime(argument: text)?.seconds == seconds)
    }

    @Test(
        "and no times",
        arguments: ["", "-1", "1:60", "1:75:00", "a", "1:2:3:4", "nan", "inf", ":30", "1:", "70000:00:00"]
    )
    func noTimes(_ text: String) {
        #expect(PlayTime(argument: text) == nil)
    }
}
