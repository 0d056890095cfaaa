package import EchoText
import FileSystem
package import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Records of connections that were made while no library was open, in a file that only its owner can read.
///
/// Each line is a record, or the end of one. A record names a server, a purpose, a time and an amount of bytes, and nothing of a
/// person's texts and sounds. The library takes them over when it is opened.
package struct OutboundNoteFile: OutboundNotes {
    /// A line of the file.
    private struct Line: Codable {
        var number: Int
        /// At the beginning.
        var record: OutboundRecord?
        /// At the end.
        var outcome: OutboundRecord.Outcome?
        var bytesReceived: Int?
    }

    /// After which time a connection without an end is one of a program that was killed.
    private static let longest = 86_400.0

    private let path: String
    private let now: @Sendable () -> Date
    private let disk = BlockingExecutor(label: "echotext.outbound-notes")

    /// - Parameters:
    ///   - path: The file; it and its folder are made when something is recorded.
    ///   - now: Returns the time of day.
    package init(path: String, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.path, self.now) = (path, now)
    }

    /// - Throws: ``SystemError``.
    package func begin(_ record: OutboundRecord) async throws -> Int {
        try await disk.run { [self] in
            let number = Int.random(in: 1..<Int(Int32.max))  // others write too, and ask nobody for a number
            try append(Line(number: number, record: record))
            return number
        }
    }

    package func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) async {
        // A full disk leaves the record as one that has begun.
        try? await disk.run { [self] in
            try append(Line(number: number, outcome: outcome, bytesReceived: bytesReceived))
        }
    }

    package func records(limit: Int) async throws -> [OutboundRecord] {
        try await disk.run { [self] in
            try entries().reversed().prefix(max(0, limit)).map(\.whole)
        }
    }

    package func move(into ledger: any OutboundLedger) async throws {
        // Held while the library writes; whoever finds it held lets the other one do it.
        guard let mover = try await disk.run({ [self] in try moveLock() }) else { return }
        let oldest = now().addingTimeInterval(-Self.longest)
        let ended = try await disk.run { [self] in
            try entries().filter { $0.end != nil || $0.record.time < oldest }
        }
        for entry in ended {
            let number = try await ledger.begin(entry.record)
            if let end = entry.end, let outcome = end.outcome {
                await ledger.end(number, outcome: outcome, bytesReceived: end.bytesReceived ?? 0)
            }
        }
        let moved = Set(ended.map(\.number))
        try await disk.run { [self] in try forget(moved) }
        withExtendedLifetime(mover) {}
    }

    package func erase() async throws {
        try await disk.run { [path] in
            for name in [path, "\(path).lock"] where unlink(name) != 0 && errno != ENOENT {
                throw SystemError(errno: errno)
            }
        }
    }

    // MARK: - The file

    private struct Entry {
        let number: Int
        let record: OutboundRecord
        var end: Line?

        var whole: OutboundRecord {
            var whole = record
            whole.outcome = end?.outcome ?? record.outcome
            whole.bytesReceived = end?.bytesReceived ?? record.bytesReceived
            return whole
        }

        var lines: [Line] { [Line(number: number, record: record)] + (end.map { [$0] } ?? []) }
    }

    /// The lock of the one who moves records; `nil` while another does, or where there is nothing to move.
    private func moveLock() throws -> LockableFile? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let descriptor = Glibc.open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError(errno: errno) }
        let file = LockableFile(descriptor)
        return try file.lock() ? file : nil
    }

    /// Opens the file under a lock that keeps others out until it is closed; `nil` where there is none.
    private func open(_ flags: Int32) throws -> LockableFile? {
        while true {
            let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                if errno == ENOENT { return nil }
                throw SystemError(errno: errno)
            }
            let file = LockableFile(descriptor)
            _ = try file.lock(waits: true)
            // Another may have replaced it while the lock was waited for.
            if file.isNamed(path) { return file }
        }
    }

    private func append(_ line: Line) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        guard let file = try open(O_WRONLY | O_CREAT | O_APPEND) else { throw SystemError(errno: ENOENT) }
        // The first line end ends what a killed program may have left in half.
        let bytes = Data("\n".utf8) + (try JSONEncoder().encode(line)) + Data("\n".utf8)
        try bytes.withUnsafeBytes { try $0.writeAll(to: file.descriptor) { SystemError(errno: $0) } }
    }

    private func forget(_ numbers: Set<Int>) throws {
        guard !numbers.isEmpty, let file = try open(O_RDONLY) else { return }
        let left = try entries(in: file).filter { !numbers.contains($0.number) }
        let lines = try left.flatMap(\.lines).map { try JSONEncoder().encode($0) + Data("\n".utf8) }
        try AtomicFile.write(Data(lines.joined()), to: path)
    }

    private func entries() throws -> [Entry] {
        guard let file = try open(O_RDONLY) else { return [] }
        return try entries(in: file)
    }

    /// In the order of the file; a line that is none is skipped.
    private func entries(in file: LockableFile) throws -> [Entry] {
        let handle = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false)
        let bytes = try handle.readToEnd() ?? Data()
        let decoder = JSONDecoder()
        var entries: [Entry] = []
        var places: [Int: Int] = [:]
        for text in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let line = try? decoder.decode(Line.self, from: text) else { continue }
            if let record = line.record {
                places[line.number] = entries.count
                entries.append(Entry(number: line.number, record: record))
            } else if let place = places[line.number] {
                entries[place].end = line
            }
        }
        return entries
    }
}
