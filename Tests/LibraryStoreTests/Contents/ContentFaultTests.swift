import EchoText
import EchoTextTesting
import Foundation
import LibraryStore
import Synchronization
import Testing

/// Makes one call fail, or kills the process there.
private final class Fault: Sendable {
    private let calls = Atomic(0)
    private let place: Int
    private let action: @Sendable () -> Int32?

    init(at place: Int, action: @escaping @Sendable () -> Int32?) {
        (self.place, self.action) = (place, action)
    }

    var count: Int { calls.load(ordering: .sequentiallyConsistent) }

    var faults: FileFaults {
        FileFaults { _ in
            self.calls.add(1, ordering: .sequentiallyConsistent).newValue == self.place ? self.action() : nil
        }
    }
}

/// The work for every fault: a content written at once, and one that grows, is suspended, resumed and finished.
private func work(in store: ContentStore, bytes: Data, acknowledge: (ContentReference) -> Void) async throws {
    acknowledge(try await store.seal(bytes, name: "at once"))
    let writer = try await store.newContent(name: "in parts")
    try await writer.write(bytes)
    try await writer.suspend()
    let second = try await store.resume(writer.id)
    try await second.write(bytes)
    acknowledge(try await second.finish())
}

@Suite(.endsInTime) struct ContentFaults {
    private static let bytes = Data(AgeFiles.bytes(5_000))
    /// More than the calls that ``work(in:bytes:acknowledge:)`` makes.
    private static let places = 1...60
    private static let stride = isLong ? 1 : 10

    /// After any fault, acknowledged contents are complete, and the sweep leaves nothing else.
    private static func check(_ path: String, _ identity: AgeIdentity, _ acknowledged: [ContentReference]) async throws
    {
        let store = try ContentStore(path: path, identities: [identity])
        try await waitUntilAllIsReleased(in: path)
        let report = try await store.sweep(
            keeping: Set(acknowledged.map(\.id)),
            parts: [],
            olderThan: .distantFuture
        )
        #expect(report.missing.isEmpty)
        #expect(report.foreign == 0)
        for reference in acknowledged {
            try await store.verify(reference, readData: true)
            let bytes = try await store.open(reference).read(0..<5_000)
            #expect(bytes == Self.bytes)
        }
        let left = try files(in: path)
        #expect(left.count == acknowledged.count)
    }

    private static func files(in path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.contains("/") }
    }

    /// Waits for all locks on files: a sweep skips locked files, and a writer that threw releases its lock on its own
    /// thread.
    private static func waitUntilAllIsReleased(in path: String) async throws {
        let names = try files(in: path)
        await onThread {
            for name in names {
                let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { continue }  // Gone meanwhile, so nobody holds it.
                // Nobody holds a lock for as long as a minute.
                for _ in 0..<60_000 {
                    if flock(file, LOCK_EX | LOCK_NB) == 0 { break }
                    usleep(1_000)
                }
                // Let go of by name: closing is not enough while a child that was just forked has it open too.
                flock(file, LOCK_UN)
                close(file)
            }
        }
    }

    @Test(arguments: [ENOSPC, EIO, EROFS]) func `a call that fails is reported and nothing acknowledged is lost`(
        errno: Int32
    ) async throws {
        let expected: VaultError =
            switch errno {
            case ENOSPC: .readOnly(.diskFull)
            case EIO: .readOnly(.deviceFailed)
            default: .readOnly(.noPermission)
            }
        var reached = 0
        for place in Swift.stride(from: Self.places.lowerBound, through: Self.places.upperBound, by: isLong ? 1 : 3) {
            let folder = try ScratchFolder()
            let identity = try AgeIdentity()
            let fault = Fault(at: place) { errno }
            var acknowledged: [ContentReference] = []
            do {
                let store = try ContentStore(path: folder("blobs"), identities: [identity], faults: fault.faults)
                try await work(in: store, bytes: Self.bytes) { acknowledged.append($0) }
                // Only work after the content was durable may fail silently.
                #expect(acknowledged.count == 2)
            } catch {
                #expect(error as? VaultError == expected)
                reached += 1
            }
            try await Self.check(folder("blobs"), identity, acknowledged)
        }
        #expect(reached > 5)
    }

    @Test func `a process killed at any call loses nothing acknowledged`() async throws {
        for place in Swift.stride(from: Self.places.lowerBound, through: Self.places.upperBound, by: Self.stride) {
            let folder = try ScratchFolder()
            let identity = try AgeIdentity()
            let (path, key) = (folder.path, try identity.exported())
            _ = await #expect(processExitsWith: .failure) {
                [path = path as String, key = key as String, place = place as Int] in
                let fault = Fault(at: place) {
                    kill(getpid(), SIGKILL)
                    return nil
                }
                let store = try ContentStore(
                    path: path + "/blobs",
                    identities: [AgeIdentity(key)],
                    faults: fault.faults
                )
                try await work(in: store, bytes: Data(AgeFiles.bytes(5_000))) { reference in
                    let line = try? JSONEncoder().encode(reference)  // a line that is missing fails the check
                    let file = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
                    let text = (line ?? Data()) + [10]
                    _ = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                    close(file)
                }
                exit(1)
            }
            let lines = (try? folder.bytes(of: "acknowledged")) ?? []  // none yet when it was killed early
            let acknowledged = try lines.split(separator: 10).map {
                try JSONDecoder().decode(ContentReference.self, from: Data($0))
            }
            if place > 50 { #expect(acknowledged.count == 2) }
            // The second content has twice the bytes; its first half is checked like the first.
            try await Self.check(path + "/blobs", identity, acknowledged)
        }
    }
}
