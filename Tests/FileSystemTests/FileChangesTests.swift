import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("Changes of files", .endsInTime)
struct FileChangesTests {
    private static func inFolder(_ body: (_ folder: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/echotext-changes-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }  // a test may have removed it itself
        try await body(folder)
    }

    private static func write(_ name: String, in folder: String) throws {
        try Data("words".utf8).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
    }

    @Test("are reported once at first, then for the file", .endsInTime, arguments: [nil, "wanted"])
    func comes(name: String?) async throws {
        try await Self.inFolder { folder in
            var changes = FileChanges.changes(of: name, in: folder).makeAsyncIterator()
            #expect(await changes.next() != nil)
            try Self.write("wanted", in: folder)
            #expect(await changes.next() != nil)
        }
    }

    @Test("are not reported for another file", .endsInTime)
    func another() async throws {
        try await Self.inFolder { folder in
            let all = FileChanges.changes(in: folder)
            var wanted = FileChanges.changes(of: "wanted", in: folder).makeAsyncIterator()
            #expect(await wanted.next() != nil)
            try Self.write("another", in: folder)
            for await _ in all where FileManager.default.fileExists(atPath: "\(folder)/another") { break }
            try Self.write("wanted", in: folder)
            #expect(await wanted.next() != nil)
            #expect(FileManager.default.fileExists(atPath: "\(folder)/wanted"))
        }
    }

    @Test("are not reported for a hidden file, unless it is asked for", .endsInTime)
    func hidden() async throws {
        try await Self.inFolder { folder in
            let watch = try FolderWatch(for: [.made, .written, .movedHere], in: folder)
            try AtomicFile.write(Data("words".utf8), to: "\(folder)/.hidden")
            #expect(!watch.takeChanges())
            try AtomicFile.write(Data("words".utf8), to: "\(folder)/.hidden")
            #expect(watch.takeChanges(of: ".hidden"))
            try AtomicFile.write(Data("words".utf8), to: "\(folder)/shown")
            #expect(watch.takeChanges())
        }
    }

    @Test("are waited for until the reader is cancelled", .endsInTime)
    func cancelled() async throws {
        try await Self.inFolder { folder in
            let reader = Task {
                for await _ in FileChanges.changes(in: folder) { withUnsafeCurrentTask { $0?.cancel() } }
            }
            await reader.value
        }
    }

    @Test("end where nothing can be watched", .endsInTime)
    func unwatched() async {
        var looks = 0
        for await _ in FileChanges.changes(in: "/nowhere/at/all") { looks += 1 }
        #expect(looks == 1)
    }
}
