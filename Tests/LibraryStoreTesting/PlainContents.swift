package import EchoText
package import Foundation
package import LibraryStore

/// Contents that are only files in a folder: durable, checked by a sum of their bytes, and not sealed at all.
package struct PlainContents: SealedContents {
    package let folder: String

    package init(folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    package func path(of id: String) -> String { "\(folder)/\(id)" }

    /// Ids of all files there are.
    package var ids: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }
    }

    package func write(name: String, length: Int, from next: @Sendable () async throws -> Data?) async throws
        -> ContentReference
    {
        var data = Data()
        while let piece = try await next() { data += piece }
        let id = ContentID()
        try data.write(to: URL(filePath: path(of: id.text)))
        let file = try FileHandle(forUpdating: URL(filePath: path(of: id.text)))
        try file.synchronize()
        try file.close()
        return ContentReference(id: id, sealedSize: data.count, headerHash: Self.sum(of: data), length: data.count)
    }

    package func sound(of reference: ContentReference) async throws -> any StoredSound {
        guard let data = FileManager.default.contents(atPath: path(of: reference.id.text)) else {
            throw VaultError.contentMissing
        }
        guard data.count == reference.sealedSize, Self.sum(of: data) == reference.headerHash else {
            throw VaultError.contentDamaged
        }
        return PlainSound(data: data)
    }

    package func delete(_ references: [ContentReference]) async throws {
        for reference in references { unlink(path(of: reference.id.text)) }
    }

    /// 32 bytes that tell one content from another (FNV-1a, four times from another start).
    private static func sum(of data: Data) -> Data {
        var sums = (0..<4).map { 0xcbf2_9ce4_8422_2325 &+ UInt64($0) }
        for byte in data {
            for index in sums.indices { sums[index] = (sums[index] ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return sums.withUnsafeBytes { Data($0) }
    }
}

private struct PlainSound: StoredSound {
    let data: Data

    var length: Int { data.count }

    func read(_ range: Range<Int>) async throws -> Data { Data(data[range]) }
}
