import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("Writing")
struct WritingTests {
    private struct Refused: Error, Equatable {
        let number: Int32
    }

    @Test("continues until all is taken: after a part, nothing, and a signal")
    func resumes() throws {
        let bytes = Array("lighthouse".utf8)
        var answers = [3, 0, -1, 1, 100]
        var taken: [UInt8] = []
        try bytes.withUnsafeBytes { all in
            try all.writeAll { rest in
                let count = min(answers.removeFirst(), rest.count)
                if count < 0 { errno = EINTR }
                taken += rest.prefix(max(0, count))
                return count
            } orThrow: {
                Refused(number: $0)
            }
        }
        #expect(taken == bytes)
        #expect(answers.isEmpty)
    }

    @Test("throws what the system says")
    func throwsReason() throws {
        #expect(throws: Refused(number: EBADF)) {
            try [1 as UInt8].withUnsafeBytes { try $0.writeAll(to: -1) { Refused(number: $0) } }
        }
    }

    @Test("of nothing asks nobody")
    func writesNothing() throws {
        try [UInt8]().withUnsafeBytes { try $0.writeAll(to: -1) { Refused(number: $0) } }
    }

    @Test("to a pipe without a reader fails, and no signal comes")
    func failsWithoutReader() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[1]) }
        #expect([1 as UInt8].withUnsafeBytes { $0.writeAll(toPipe: ends[1]) })
        close(ends[0])
        #expect([1 as UInt8].withUnsafeBytes { !$0.writeAll(toPipe: ends[1]) })
    }
}

@Suite("An atomic file")
struct AtomicFileTests {
    @Test("takes the place of the one before, with its own permissions")
    func replaces() throws {
        let folder = TemporaryFolder()
        let path = try folder.write("old", to: "note")
        try AtomicFile.write(Data("new".utf8), to: path)
        #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.names == ["note"])
    }

    @Test("that cannot take its place leaves nothing beside it")
    func leavesNothing() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("folder"), withIntermediateDirectories: true)
        #expect(throws: SystemError(errno: EISDIR)) {
            try AtomicFile.write(Data("new".utf8), to: folder("folder"))
        }
        #expect(folder.names == ["folder"])
    }
}
