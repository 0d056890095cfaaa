import FileSystem
import Foundation
import Testing

@Suite("A file that the kernel writes")
struct KernelFileTests {
    @Test("is read to its end, however long")
    func end() throws {
        // It lists what a process has in memory, the stack behind all libraries.
        let map = try String(kernelFile: "/proc/self/maps")
        #expect(map.utf8.count > 8_192)
        #expect(map.contains("[stack]"))
    }

    @Test("that is not there is an error")
    func missing() {
        #expect(throws: (any Error).self) { try Data(kernelFile: "/proc/self/no-such-file") }
    }
}
