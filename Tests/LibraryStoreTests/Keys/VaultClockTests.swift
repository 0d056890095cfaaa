import Testing

@testable import LibraryStore

@Suite("The vault's clocks")
struct VaultClockTests {
    @Test(
        "know a time namespace whose clocks are not the system's",
        arguments: [
            ("monotonic           0         0\nboottime            0         0\n", false), ("", false),
            ("monotonic           0         0\nboottime       864000         0\n", true),
            ("monotonic           0         0\nboottime            0         1\n", true),
            ("monotonic          -5         0\nboottime            0         0\n", true),
        ]
    )
    func offsets(_ text: String, isMoved: Bool) {
        #expect(VaultClocks.hasOffset(text) == isMoved)
    }

    @Test("are the system's here, and tell one start from another")
    func here() throws {
        #expect(try !VaultClocks.system.isMoved())
        #expect(try VaultClocks.system.bootID() == VaultClocks.system.bootID())
        #expect(VaultClocks.system.boottime() > 0)
    }
}
