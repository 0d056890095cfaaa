import CZlib
package import EchoText
package import Foundation

/// Writes a ZIP file as a stream; its files are stored without compression.
///
/// libarchive, which reads archives elsewhere, cannot write these files: it puts the checksum after a file's bytes,
/// which streaming readers refuse for a stored file, and adds extra fields to the header of an EPUB's `mimetype`,
/// which are not allowed.
package actor ZipArchive {
    private let sink: any ByteSink
    private let time: Date
    private var directory = ZipDirectory()
    /// Why a file ended before its length; nothing can follow it.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - sink: Receives the bytes.
    ///   - time: The time of files without their own.
    package init(to sink: any ByteSink, at time: Date) {
        self.sink = sink
        self.time = time
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - made: The file's own time.
    ///   - bytes: The content; read twice.
    /// - Throws: ``LibraryError/recordingTooLong`` for 4 GiB and more; the errors of reading and writing.
    package func add(_ name: String, made: Date? = nil, _ bytes: any StoredBytes) async throws {
        guard bytes.length < Int(UInt32.max) else { throw LibraryError.recordingTooLong }
        var checksum = Checksum()
        try await bytes.forEachPiece { checksum.add($0) }
        try await begin(name, made, length: bytes.length, checksum: checksum.value)
        do {
            try await bytes.forEachPiece { try await sink.append($0) }
        } catch {
            failure = error
            throw error
        }
    }

    package func add(_ name: String, _ text: String) async throws { try await add(name, Data(text.utf8)) }

    package func add(_ name: String, _ bytes: Data) async throws {
        var checksum = Checksum()
        checksum.add(bytes)
        try await begin(name, nil, length: bytes.count, checksum: checksum.value)
        try await sink.append(bytes)
    }

    private func begin(_ name: String, _ made: Date?, length: Int, checksum: UInt32) async throws {
        if let failure { throw failure }
        let header = directory.begin(name, made: made ?? time, length: length, checksum: checksum)
        try await sink.append(Data(header))
    }

    /// Writes the end of the ZIP file.
    ///
    /// - Throws: The error that interrupted a file; errors of writing.
    package func finish() async throws {
        if let failure { throw failure }
        try await sink.append(Data(directory.end()))
    }
}

/// The headers and directory of a ZIP file whose files are stored without compression.
///
/// - SeeAlso: APPNOTE.TXT 6.3.10, PKWARE; which defines the names in comments.
struct ZipDirectory {
    private struct Entry {
        let name: [UInt8]
        let checksum: UInt32
        let length: UInt32
        let made: (date: UInt16, time: UInt16)
        let offset: UInt64
    }

    private var entries: [Entry] = []
    /// The number of bytes written.
    private var position: UInt64 = 0

    private static let utf8Names: UInt16 = 1 << 11
    private static let version: UInt16 = 45  // the first with ZIP64
    /// Unix, so that the mode of a file is used.
    private static let madeBy: UInt16 = 3 << 8 | version
    private static let full = UInt32.max

    /// The local header, before the bytes of a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - made: The time of the file.
    ///   - length: The number of bytes, less than 4 GiB.
    ///   - checksum: The CRC-32 of the bytes.
    /// - Returns: A local file header.
    mutating func begin(_ name: String, made: Date, length: Int, checksum: UInt32) -> [UInt8] {
        let entry = Entry(
            name: Array(name.utf8),
            checksum: checksum,
            length: UInt32(length),
            made: Self.dosTime(made),
            offset: position
        )
        entries.append(entry)
        var header = ZipBytes()
        header.put(0x0403_4b50 as UInt32)
        header.put(Self.version)
        header.put(entry)
        header.put(UInt16(0))  // extra field length
        header.bytes += entry.name
        position += UInt64(header.bytes.count) + UInt64(length)
        return header.bytes
    }

    /// The central directory, after the last file.
    func end() -> [UInt8] {
        var all = ZipBytes()
        for entry in entries {
            let isFar = entry.offset >= UInt64(Self.full)
            all.put(0x0201_4b50 as UInt32)
            all.put(Self.madeBy)
            all.put(Self.version)
            all.put(entry)
            all.put(UInt16(isFar ? 12 : 0))  // extra field length
            all.bytes += [UInt8](repeating: 0, count: 6)  // comment length, disk, internal attributes
            all.put(0o100600 << 16 as UInt32)
            all.put(isFar ? Self.full : UInt32(entry.offset))
            all.bytes += entry.name
            if isFar {
                all.put(UInt16(1))  // ZIP64 extended information
                all.put(UInt16(8))
                all.put(entry.offset)
            }
        }
        let length = UInt64(all.bytes.count)
        if entries.count >= Int(UInt16.max) || position + length >= UInt64(Self.full) {
            all.putLarge(entries.count, length, at: position)
        }
        let count = UInt16(min(entries.count, Int(UInt16.max)))
        all.put(0x0605_4b50 as UInt32)
        all.put(UInt32(0))  // disks
        all.put(count)
        all.put(count)
        all.put(UInt32(min(length, UInt64(Self.full))))
        all.put(UInt32(min(position, UInt64(Self.full))))
        all.put(UInt16(0))  // comment length
        return all.bytes
    }

    /// Local time in steps of two seconds from 1980 on.
    private static func dosTime(_ time: Date) -> (date: UInt16, time: UInt16) {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: time
        )
        let year = max(0, min(127, (parts.year ?? 1980) - 1980))
        let date = year << 9 | (parts.month ?? 1) << 5 | (parts.day ?? 1)
        let clock = (parts.hour ?? 0) << 11 | (parts.minute ?? 0) << 5 | (parts.second ?? 0) / 2
        return (UInt16(date), UInt16(clock))
    }

    private struct ZipBytes {
        var bytes: [UInt8] = []

        mutating func put(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }

        /// The fields that both headers of a file have in the same order.
        mutating func put(_ entry: Entry) {
            put(ZipDirectory.utf8Names)
            put(UInt16(0))  // stored
            put(entry.made.time)
            put(entry.made.date)
            put(entry.checksum)
            put(entry.length)
            put(entry.length)
            put(UInt16(entry.name.count))
        }

        /// ZIP64 end of central directory record and its locator.
        mutating func putLarge(_ count: Int, _ length: UInt64, at position: UInt64) {
            put(0x0606_4b50 as UInt32)
            put(44 as UInt64)  // bytes that follow
            put(ZipDirectory.madeBy)
            put(ZipDirectory.version)
            put(0 as UInt64)  // disks
            put(UInt64(count))
            put(UInt64(count))
            put(length)
            put(position)
            put(0x0706_4b50 as UInt32)
            put(UInt32(0))
            put(position + length)
            put(UInt32(1))
        }
    }
}

/// The CRC-32 of ZIP files.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: Data) {
        guard !bytes.isEmpty else { return }  // no bytes may have no address, for which zlib starts over
        let sum = bytes.withUnsafeBytes { crc32_z(UInt(value), $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        value = UInt32(truncatingIfNeeded: sum)
    }
}

/// An export into a ZIP file: each file is made in memory, and added to the archive when it is complete.
package struct ZipFolder: ExportFolder {
    private let zip: ZipArchive
    private let sounds: any SoundFiles

    /// - Parameters:
    ///   - zip: Receives the files.
    ///   - sounds: Makes sound files.
    package init(_ zip: ZipArchive, sounds: any SoundFiles) {
        self.zip = zip
        self.sounds = sounds
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        let (sink, bytes) = try await sounds.soundInMemory(order)
        return ZippedSound(sink: sink) { try await zip.add(path, bytes) }
    }

    package func file(at path: String) async throws -> any ByteSink {
        let bytes = MemoryBytes()
        return ZippedFile(sink: bytes) { try await zip.add(path, bytes) }
    }

    /// Stored bytes pass through piece by piece.
    package func write(_ bytes: any StoredBytes, to path: String) async throws { try await zip.add(path, bytes) }

    /// Folders appear only in the paths of their files.
    package func folder(at path: String) async throws {}

    /// An archive that was cut off has no end, by which programs notice it.
    package func begin(_ path: String) async throws {}

    package func complete(_ path: String) async throws {}

    /// Sent bytes cannot be withdrawn; the download ends without its last part, so that the browser detects the
    /// truncation.
    package func empty(_ path: String) async {}
}

private struct ZippedSound: AudioSink {
    let sink: any AudioSink
    let add: @Sendable () async throws -> Void

    func append(_ clip: AudioClip) async throws { try await sink.append(clip) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func discard() async { await sink.discard() }
}

private struct ZippedFile: ByteSink {
    let sink: any ByteSink
    let add: @Sendable () async throws -> Void

    func append(_ bytes: Data) async throws { try await sink.append(bytes) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func discard() async { await sink.discard() }
}
