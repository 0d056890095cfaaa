import EchoText
import Testing

@Suite("Recording marks")
struct RecordingMarkTests {
    @Test(
        "have a label of one line with all of its words",
        arguments: [
            ("the harbour\nat night", "the harbour at night"), ("the harbour\0at night", "the harbour at night"),
            ("\0the\0\0harbour ", "the harbour"),
        ]
    )
    func label(_ given: String, _ line: String) {
        #expect(RecordingMark(at: 1, label: given, sampleRate: 16_000).label == line)
    }

    @Test("have no label where it has no words", arguments: ["", " ", "\0", " \0\n"])
    func noLabel(_ given: String) {
        #expect(RecordingMark(at: 1, label: given, sampleRate: 16_000).label == nil)
    }
}
