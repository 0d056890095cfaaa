import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Receipts of voices")
struct ModelReceiptTests {
    private let folder = TemporaryFolder()

    /// A receipt with these fields in addition to the common ones.
    private func receipt(with fields: [String: Any]) throws -> ModelReceipt? {
        var written: [String: Any] = [
            "entry": "vits-piper-en_US-fixture-low", "installedAt": 1_000, "files": ["tokens.txt": 3],
        ]
        written.merge(fields) { _, new in new }
        try folder.write(try JSONSerialization.data(withJSONObject: written), to: ModelReceipt.fileName)
        return ModelReceipt(at: folder.path)
    }

    @Test(
        "say how a model is run by names that stay",
        arguments: [
            ("parts", .parts), ("format", .whole(.format)), ("ports", .whole(.ports)), ("decoder", .whole(.decoder)),
            ("durations", .whole(.durations)), ("noise", .whole(.noise)), ("flow", .whole(.flow)),
            ("difference", .whole(.difference)), ("engine", .whole(.engine)),
        ] as [(String, ModelLayout)]
    )
    func names(name: String, layout: ModelLayout) throws {
        #expect(try receipt(with: ["layout": name, "layoutRules": 2])?.currentLayout == layout)
        var own = try #require(try receipt(with: [:]))
        #expect(own.currentLayout == nil)
        own.currentLayout = layout
        let fields = try JSONSerialization.jsonObject(with: own.encoded) as? [String: Any]
        #expect(fields?["layout"] as? String == name && fields?["layoutRules"] as? Int == 2)
    }

    @Test(
        "of a newer program say all but how the model is run, which is found out again",
        arguments: [
            ("parts", 3), ("decoder", Int.max), ("in pieces", 2), ("in pieces", 3), ("", 2),
        ]
    )
    func newer(layout: String, rules: Int) throws {
        try foundOutAgain(layout: layout, rules: rules)
    }

    @Test(
        "of an older program say all but how the model is run, which is found out again",
        arguments: [("parts", 1), ("flow", 1), ("parts", 0), ("parts", -1)]
    )
    func older(layout: String, rules: Int) throws {
        try foundOutAgain(layout: layout, rules: rules)
    }

    private func foundOutAgain(layout: String, rules: Int) throws {
        let read = try receipt(with: ["layout": layout, "layoutRules": rules, "version": 9, "parts": ["a": [1, 2]]])
        var other = try #require(read)
        #expect(other.currentLayout == nil)
        #expect(other.entry?.rawValue == "vits-piper-en_US-fixture-low")
        try folder.write("abc", to: "tokens.txt")
        #expect(other.difference(at: folder.path) == nil)
        try folder.write("abcd", to: "tokens.txt")
        #expect(other.difference(at: folder.path) == "tokens.txt")

        other.currentLayout = .whole(.flow)
        try folder.write(other.encoded, to: ModelReceipt.fileName)
        #expect(ModelReceipt(at: folder.path)?.currentLayout == .whole(.flow))
    }

    @Test("may say that files are larger than can be counted, or of an age that no file has")
    func large() throws {
        let sizes: [String: Any] = ["a": Int64.max, "b": Int64.max, "c": -5, "d": 3]
        let read = try #require(try receipt(with: ["files": sizes, "installedAt": 1e300]))
        #expect(read.files.values.totalSize == Int64.max)
        #expect(read.files.filter { $0.value < 10 }.values.totalSize == 3)
        #expect(read.installed < Date.distantFuture)
        #expect(try receipt(with: ["installedAt": -1e300])?.installed == Date(timeIntervalSince1970: 0))
        for size in [Int64.max, Int64.max / 4 * 3] {
            #expect(CatalogueEntry.room(forUnpacking: size) >= size)
        }
    }

    @Test("that cannot be read are none")
    func cannotBeRead() throws {
        #expect(try receipt(with: ["files": 7]) == nil)
        try folder.write("{", to: ModelReceipt.fileName)
        #expect(ModelReceipt(at: folder.path) == nil)
    }
}
