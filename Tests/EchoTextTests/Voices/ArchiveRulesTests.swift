import EchoText
import Testing

@Suite("Archive rules")
struct ArchiveRulesTests {
    /// As a `Character`, a slash with a combining mark is not a slash; for the system it is.
    @Test(arguments: [
        ("a/b", ["a", "b"]), ("./a//b/.", ["a", "b"]), (".", []), ("a/\u{301}b", ["a", "\u{301}b"]),
        ("\u{0D4E}/b", ["\u{0D4E}", "b"]), ("a\u{301}/b", ["a\u{301}", "b"]),
    ])
    func `cut a name at each slash, whatever stands beside it`(name: String, parts: [String]) throws {
        #expect(try ArchiveRules.parts(of: name).map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("/a", ModelInstallError.Forbidden.absolutePath), ("/\u{301}a", .absolutePath), ("a/../b", .parentPath),
        ("\u{0D4E}/../\u{301}a", .parentPath), ("../\u{301}a", .parentPath),
        ("a\(String(repeating: "/\u{301}", count: 20))", .tooDeep),
    ])
    func `refuse what leads out, whatever stands beside it`(name: String, problem: ModelInstallError.Forbidden) {
        #expect(throws: ModelInstallError.forbidden(problem, name: ArchiveRules.shown(name))) {
            try ArchiveRules.parts(of: name)
        }
    }

    @Test func `know two names of one place for what they are`() throws {
        var count = ArchiveCount(ArchiveRules(), archiveSize: 1_000)
        try count.begin("a/\u{301}b", size: nil, isFolder: false)
        #expect(throws: ModelInstallError.forbidden(.twice, name: "a//\u{301}b")) {
            try count.begin("a//\u{301}b", size: nil, isFolder: false)
        }
    }
}
