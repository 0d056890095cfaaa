package import Foundation

extension VoiceReceipt {
    /// The receipt's name in a voice's folder; hidden, since it is no file of the voice.
    package static let fileName = ".echotext-receipt.json"
    /// The largest receipt, in bytes; that of a voice with 400 files has 20 kB.
    private static let maximumBytes = 1 << 20

    /// The receipt in the folder at `path`; `nil` when there is none that can be read.
    package init?(at path: String) {
        let url = URL(filePath: "\(path)/\(Self.fileName)")
        // A voice without a receipt was put there by the person.
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.maximumBytes,
            let data = try? Data(contentsOf: url),
            let receipt = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = receipt
    }

    package var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// The first file, by name, that has not the size it was installed with; `nil` when all are as they were.
    package func difference(at path: String) -> String? {
        files.sorted { $0.key < $1.key }.first { Self.size(of: "\(path)/\($0.key)") != $0.value }?.key
    }

    /// The sizes in bytes of all files in a folder and its subfolders, by relative path, without receipts and links.
    package static func files(in path: String) -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var status = stat()
            guard name != fileName, lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            sizes[name] = Int64(status.st_size)
        }
        return sizes
    }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
