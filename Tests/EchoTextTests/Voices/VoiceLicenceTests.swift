import EchoText
import Testing

@Suite("Licences of voices")
struct VoiceLicenceTests {
    struct Card: Sendable {
        let line: String
        let name: String?
        let isCommercial: Bool?

        init(_ line: String, _ name: String?, _ isCommercial: Bool?) {
            (self.line, self.name, self.isCommercial) = (line, name, isCommercial)
        }
    }

    static let cards: [Card] = [
        .init("* License: CC0", "CC0", true),
        .init("* License: CC BY 4.0", "CC BY 4.0", true),
        .init("* Licence: CC-BY-NC-SA 4.0", "CC-BY-NC-SA 4.0", false),
        .init("License:\tpublic domain ", "public domain", true),
        .init("- **License**: Apache 2.0", "Apache 2.0", true),
        .init("* License: Blizzard 2013", "Blizzard 2013", false),
        .init("* License: for research use only", "for research use only", false),
        .init("* License: See URL", "See URL", nil),
        .init("* Dataset license: CC BY-SA", "CC BY-SA", true),
        .init("* License:", nil, nil),
        .init("The licence is unknown", nil, nil),
        .init("* URL: https://example.org/license: x", nil, nil),
    ]

    @Test(arguments: cards)
    func `are read from the card`(card: Card) {
        let licence = VoiceLicence(card: "# Model card\n\n* Language: x\n\(card.line)\n* Speakers: 1\n")
        #expect(licence?.name == card.name)
        #expect(licence?.isCommercial == card.isCommercial)
    }

    @Test(arguments: ["Finetuned from U.S. English lessac voice (medium quality).", "* Fine-tuned from: ryan"])
    func `are those of the recordings only, in a model that was tuned from another`(training: String) {
        let free = VoiceLicence(card: "* License: CC0\n\n## Training\n\n\(training)\n")
        #expect(free?.name == "CC0 (recordings), fine-tuned from another voice")
        #expect(free?.isCommercial == nil)
        let bound = VoiceLicence(card: "* License: CC BY-NC\n\n\(training)")
        #expect(bound?.isCommercial == false)
    }

    @Test func `are short and without controls`() {
        let licence = VoiceLicence(card: "License: \u{1B}[2J" + String(repeating: "x", count: 500))
        #expect(licence?.name.count == 80 && licence?.name.contains("\u{1B}") == false)
    }

    @Test func `are not in a card without a line for it`() {
        #expect(VoiceLicence(card: "") == nil)
        #expect(VoiceLicence(card: "\n\n:::\n") == nil)
    }
}
