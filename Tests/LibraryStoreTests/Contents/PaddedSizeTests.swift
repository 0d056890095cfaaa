import EchoText
import Testing

@testable import LibraryStore

@Suite struct PaddedSizes {
    @Test func `a size grows by at most 12 percent and never shrinks`() {
        var previous = 0
        for size in (0..<20_000).map({ $0 * 3 })
            + (12..<40).flatMap({ [(1 << $0) - 1, 1 << $0, (1 << $0) + 1] }).sorted()
        {
            let padded = PaddedSize.of(size)
            #expect(padded >= size)
            #expect(padded == 4_096 || Double(padded) <= Double(size) * 1.12)
            #expect(PaddedSize.of(padded) == padded)
            if size >= previous { previous = size }
        }
    }

    @Test(arguments: [(0, 4_096), (4_096, 4_096), (4_097, 4_352), (1_000_000, 1_015_808), (1 << 30, 1 << 30)])
    func `sizes known from the paper's rule`(size: Int, padded: Int) {
        #expect(PaddedSize.of(size) == padded)
    }

    @Test func `few sizes are left between 1 and 2 MB`() {
        #expect(Set(stride(from: 1 << 20, to: 2 << 20, by: 512).map(PaddedSize.of)).count == 32 + 1)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\u{0}b", "a\nb", String(repeating: "ü", count: 128)])
    func `a name that cannot be a file's is refused`(name: String) {
        #expect(TarMember(name: name, length: 1) == nil)
    }

    @Test func `what the program calls a file can be a file's name`() {
        let originals = DocumentKind.allCases.map { SealedName.original($0) }
        for name in originals + [.recording, .recorded, .segment, .text, .speech, .take] {
            #expect(TarMember(name: name.text, length: 1) == TarMember(name, length: 1))
        }
    }

    @Test(arguments: [
        "a", "Grüße 👋 – a=b.wav", "-rf", "\u{1F3FB}.wav", "\u{301}a.wav", String(repeating: "n", count: 255),
    ])
    func `a member's head is read as it was written`(name: String) throws {
        for length in [0, 1, 0o77_777_777_777, 0o100_000_000_000] {
            let member = try #require(TarMember(name: name, length: length))
            #expect(member.head.count == TarMember.headSize)
            #expect(try TarMember(head: member.head) == member)
        }
    }

    @Test(arguments: [-1, 1 << 61, Int.max])
    func `a length that no file has is refused`(length: Int) {
        #expect(TarMember(name: "a", length: length) == nil)
    }

    @Test(arguments: [("-0000000007", 124), ("-7777777777", 124), ("77777777777", 124), ("-0000000001", 1_148)])
    func `a size that no file has makes a member's head damaged`(size: String, place: Int) throws {
        var head = try #require(TarMember(name: "a", length: 1)).head
        head.replaceSubrange(place..<place + size.utf8.count, with: size.utf8)
        #expect(throws: VaultError.contentDamaged) { try TarMember(head: head) }
    }
}
