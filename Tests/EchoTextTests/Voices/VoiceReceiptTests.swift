import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Receipts of voices")
struct VoiceReceiptTests {
    private let folder = TemporaryFolder()

    /// The receipt that a program has left which writes these fields besides those that all have.
    private func receipt(with fields: [String: Any]) throws -> VoiceReceipt? {
        var written: [String: Any] = [
            "entry": "vits-piper-en_US-fixture-low", "installedAt": 1_000, "files": ["tokens.txt": 3],
        ]
        written.merge(fields) { _, new in new }
        try folder.write(try JSONSerialization.data(withJSONObject: written), to: VoiceReceipt.fileName)
        return VoiceReceipt(at: folder.path)
    }

    @Test(
        "tell how a model is run by names that stay",
        arguments: [
            ("parts", .parts), ("format", .whole(.format)), ("ports", .whole(.ports)), ("decoder", .whole(.decoder)),
            ("durations", .whole(.durations)), ("noise", .whole(.noise)), ("flow", .whole(.flow)),
            ("difference", .whole(.difference)), ("engine", .whole(.engine)),
        ] as [(String, ModelLayout)]
    )
    func names(name: String, layout: ModelLayout) throws {
        #expect(try receipt(with: ["layout": name, "layoutRules": 1])?.currentLayout == layout)
        var own = try #require(try receipt(with: [:]))
        #expect(own.currentLayout == nil)
        own.currentLayout = layout
        let fields = try JSONSerialization.jsonObject(with: own.encoded) as? [String: Any]
        #expect(fields?["layout"] as? String == name && fields?["layoutRules"] as? Int == 1)
    }

    @Test(
        "of a newer program say all but how the model is run, which is found out anew",
        arguments: [
            ("parts", 2), ("decoder", Int.max), ("in pieces", 1), ("in pieces", 2), ("", 1), ("parts", 0),
            ("parts", -1),
        ]
    )
    func newer(layout: String, rules: Int) throws {
        let read = try receipt(with: ["layout": layout, "layoutRules": rules, "version": 9, "parts": ["a": [1, 2]]])
        var newer = try #require(read)
        #expect(newer.currentLayout == nil)
        #expect(newer.entry?.rawValue == "vits-piper-en_US-fixture-low")
        try folder.write("abc", to: "tokens.txt")
        #expect(newer.difference(at: folder.path) == nil)
        try folder.write("abcd", to: "tokens.txt")
        #expect(newer.difference(at: folder.path) == "tokens.txt")

        newer.currentLayout = .whole(.flow)
        try folder.write(newer.encoded, to: VoiceReceipt.fileName)
        #expect(VoiceReceipt(at: folder.path)?.currentLayout == .whole(.flow))
    }

    @Test func `that cannot be read are none`() throws {
        #expect(try receipt(with: ["files": 7]) == nil)
        try folder.write("{", to: VoiceReceipt.fileName)
        #expect(VoiceReceipt(at: folder.path) == nil)
    }
}
