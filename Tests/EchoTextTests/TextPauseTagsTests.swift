import EchoText
import Testing

@Suite("Pause tags")
struct TextPauseTagsTests {
    @Test(
        "are read",
        arguments: [
            ("[pause]", 0.5), ("[pause:1.5s]", 1.5), ("[pause:800ms]", 0.8), ("[pause:2]", 2), ("[PAUSE:2S]", 2),
            ("[Pause: 3 s ]", 3), ("[pause:0]", 0), ("[pause:90]", 60), ("[pause:100000000ms]", 60),
        ]
    )
    func duration(_ tag: String, _ seconds: Double) {
        #expect(
            PauseTags.split("A \(tag) b", at: 10) == [
                .text(10..<12), .pause(seconds: seconds, 12..<12 + tag.utf16.count),
                .text(12 + tag.utf16.count..<14 + tag.utf16.count),
            ]
        )
    }

    @Test(
        "are text when they are malformed",
        arguments: [
            "[pause:]", "[pause:x]", "[pause:-1]", "[pause:1,5]", "[pause 2]", "[pause:1.2.3]", "[paused]", "[pause",
            "[]",
            "pause:2]", "[pause:nan]", "[pause:inf]", "[pause:1e3]", "[pause:0x10]", "[pause:.]", "[pause:٣]",
            "[pause:11111111111111111111111111111111111]",
        ]
    )
    func malformed(_ text: String) {
        #expect(PauseTags.split(text, at: 0) == [.text(0..<text.utf16.count)])
    }

    @Test("cover the text, whatever stands around them")
    func coverTextWhatever() {
        #expect(PauseTags.split("", at: 3).isEmpty)
        #expect(
            PauseTags.split("[pause][pause:1]", at: 0) == [.pause(seconds: 0.5, 0..<7), .pause(seconds: 1, 7..<16)]
        )
        #expect(PauseTags.split("😀[pause]é", at: 0) == [.text(0..<2), .pause(seconds: 0.5, 2..<9), .text(9..<10)])
        #expect(PauseTags.split("[[pause]]", at: 0) == [.text(0..<1), .pause(seconds: 0.5, 1..<8), .text(8..<9)])
    }

    @Test("are found in time that grows with the text only")
    func foundTimeGrows() {
        let brackets = String(repeating: "[pause:", count: 150_000)
        #expect(PauseTags.split(brackets, at: 0) == [.text(0..<brackets.utf16.count)])
    }
}
