import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("A lockable file")
struct LockableFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = TemporaryFolder()
        path = try folder.write("", to: "lock")
    }

    private func opened() throws -> LockableFile {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        return LockableFile(descriptor)
    }

    @Test("excludes whoever opens the file too, until its last reference goes")
    func excludes() throws {
        var holder: LockableFile? = try opened()
        let other = try opened()
        #expect(try holder?.lock() == true)
        #expect(try !other.lock())
        #expect(try !other.lock(.shared))
        holder = nil
        #expect(try other.lock())
    }

    @Test("is shared with others that share it")
    func shares() throws {
        let (first, second, third) = (try opened(), try opened(), try opened())
        #expect(try first.lock(.shared))
        #expect(try second.lock(.shared))
        #expect(try !third.lock())
        withExtendedLifetime((first, second)) {}
    }

    @Test("is free when the last reference goes, though a child process has a copy of the descriptor")
    func freesInheritedLock() throws {
        var holder: LockableFile? = try opened()
        #expect(try holder?.lock() == true)
        let copy = try #require(holder.map { dup($0.descriptor) })
        defer { close(copy) }
        holder = nil
        #expect(try opened().lock())
    }

    @Test("knows whether its name leads to it still")
    func knowsItsName() throws {
        let file = try opened()
        #expect(file.isNamed(path))
        #expect(!file.isRemoved)
        let identity = try #require(file.identity)
        try FileManager.default.moveItem(atPath: path, toPath: "\(path)-moved")
        #expect(!file.isNamed(path))
        #expect(file.isNamed("\(path)-moved"))
        _ = try folder.write("", to: "lock")
        #expect(!file.isNamed(path))
        unlink("\(path)-moved")
        #expect(file.isRemoved)
        #expect(file.identity == identity)
    }
}
