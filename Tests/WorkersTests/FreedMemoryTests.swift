import CProcess
import Foundation
import Testing

/// Checks freed memory in a process that has enabled overwriting it.
@Suite("Freed memory")
struct FreedMemoryTests {
    /// How many bytes at a free block's beginning are the allocator's own notes.
    private static let notes = 16

    private static func block(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        let block = malloc(size).bindMemory(to: UInt8.self, capacity: size)
        block.update(repeating: 0x5A, count: size)
        return block
    }

    private static func isLeft(in block: UnsafeMutablePointer<UInt8>, _ range: Range<Int>) -> Bool {
        range.contains { block[$0] == 0x5A }
    }

    @Test("holds nothing of what was in it, whether it was given back or moved")
    func isOverwritten() async {
        await #expect(processExitsWith: .success) {
            let before = Self.block(64)
            free(before)
            // Otherwise the following checks would prove nothing.
            guard Self.isLeft(in: before, Self.notes..<64) else { exit(2) }
            guard wipe_freed_memory() == 1 else { exit(3) }
            for size in [24, 64, 1_000, 50_000] {
                let block = Self.block(size)
                free(block)
                guard !Self.isLeft(in: block, Self.notes..<size) else { exit(4) }
            }
            let small = Self.block(1_000)
            let beside = Self.block(1_000)
            let moved = realloc(small, 50_000).bindMemory(to: UInt8.self, capacity: 50_000)
            guard (0..<1_000).allSatisfy({ moved[$0] == 0x5A }) else { exit(5) }
            guard moved != small, !Self.isLeft(in: small, Self.notes..<1_000) else { exit(6) }
            guard (0..<1_000).allSatisfy({ beside[$0] == 0x5A }) else { exit(7) }
        }
    }

    @Test("ends the program when it is given back twice, as it does without being overwritten")
    func isGivenBackOnce() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            guard wipe_freed_memory() == 1 else { exit(3) }
            let block = Self.block(64)
            free(block)
            free(block)
        }
    }
}
