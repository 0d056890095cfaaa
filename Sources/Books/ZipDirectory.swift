import CZlib
import Foundation

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
