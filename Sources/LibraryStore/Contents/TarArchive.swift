import EchoText
import FileSystem
import Foundation

/// Writes a tar archive of a folder as a stream; `tar --extract` restores it, readable for its owner only.
struct TarArchive {
    private let sink: any ByteSink

    init(to sink: any ByteSink) {
        self.sink = sink
    }

    /// Adds a folder with its whole content, in the order of the names.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - name: Its name in the archive.
    /// - Throws: What reading and writing throw.
    func add(contentsOf folder: String, as name: String) async throws {
        try await begin(.folder, "\(name)/", length: 0)
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            var isFolder = ObjCBool(false)
            let place = "\(folder)/\(path)"
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                try await begin(.folder, "\(name)/\(path)/", length: 0)
            } else {
                try await add(try StoredFile(at: place), "\(name)/\(path)")
            }
        }
    }

    private func add(_ file: StoredFile, _ name: String) async throws {
        try await begin(.file, name, length: file.length)
        try await file.forEachPiece { try await sink.append($0) }
        try await fill(after: file.length)
    }

    /// An extended header precedes the member if the normal one cannot express its values.
    private func begin(_ type: TarHeader.Kind, _ name: String, length: Int) async throws {
        var records: [UInt8] = []
        if name.utf8.count > TarHeader.longestName { records += TarHeader.record("path", name) }
        if length > TarHeader.largestSize { records += TarHeader.record("size", String(length)) }
        if !records.isEmpty {
            let header = TarHeader(name: "PaxHeaders/member", type: .extended, size: records.count)
            try await sink.append(Data(header.bytes + records))
            try await fill(after: records.count)
        }
        let short = name.utf8.count > TarHeader.longestName ? "member" : name
        let header = TarHeader(name: short, type: type, size: min(length, TarHeader.largestSize))
        try await sink.append(Data(header.bytes))
    }

    private func fill(after length: Int) async throws {
        let rest = length % TarHeader.size
        if rest > 0 { try await sink.append(Data(count: TarHeader.size - rest)) }
    }

    /// Writes the end: two empty blocks.
    func end() async throws { try await sink.append(Data(count: 2 * TarHeader.size)) }
}
