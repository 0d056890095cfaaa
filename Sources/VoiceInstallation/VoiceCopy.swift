import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
import EchoText
import FileSystem
import Foundation

/// Copies a person's own voice: only the files that belong to the voice.
struct VoiceCopy {
    private let rules: ArchiveRules
    /// The source path of each file, by its new name.
    private var sources: [String: String] = [:]

    /// The voice in a folder, in the layout of sherpa-onnx or of Piper.
    ///
    /// - Throws: The errors of ``VoiceFolder/find(at:)``.
    init(ofFolder path: String, rules: ArchiveRules) throws {
        self.rules = rules
        let model = try VoiceFolder.find(at: path).modelFile
        for name in [model, "\(model).json", "tokens.txt", "MODEL_CARD", "LICENSE", "README.md"] {
            add("\(path)/\(name)", as: name)
        }
    }

    /// A model with its description next to it; an existing `tokens.txt` may belong to another voice and is not copied.
    ///
    /// - Throws: ``VoiceFolderError/missingFile(_:)`` for the description.
    init(ofModel path: String, rules: ArchiveRules) throws {
        self.rules = rules
        let name = (path as NSString).lastPathComponent
        let folder = (path as NSString).deletingLastPathComponent
        sources[name] = path
        add("\(path).json", as: "\(name).json")
        if sources["\(name).json"] == nil { add("\(path.dropLast(".onnx".count)).json", as: "\(name).json") }
        guard sources["\(name).json"] != nil else { throw VoiceFolderError.missingFile("\(name).json") }
        add("\(folder)/MODEL_CARD", as: "MODEL_CARD")
    }

    private mutating func add(_ path: String, as name: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        sources[name] = path
    }

    /// Writes the copies.
    ///
    /// - Parameter folder: The target folder; must be empty.
    /// - Throws: ``VoiceInstallError``, ``VoiceFolderError/unreadableFile(_:)`` or `CancellationError`.
    func make(in folder: String) throws {
        let size = sources.values.map { Disk.size(of: $0) }.totalSize
        guard size <= rules.maximumBytes else {
            throw VoiceInstallError.tooMuchInside(limit: Int64(rules.maximumBytes))
        }
        if let free = FreeSpace.bytes(at: folder), free < size {
            throw VoiceInstallError.noSpace(needed: size, free: free)
        }
        let writer = try PieceWriter(into: folder)
        for (name, path) in sources.sorted(by: { $0.key < $1.key }) {
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { throw VoiceFolderError.unreadableFile(name) }
            defer { close(file) }
            try writer.take(.file(name))
            while let bytes = try Self.read(file, name) {
                try Task.checkCancellation()
                try writer.take(.bytes(bytes))
            }
        }
        try writer.finish()
    }

    private static func read(_ file: Int32, _ name: String) throws -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            var read: Int
            repeat { read = Glibc.read(file, buffer.baseAddress, buffer.count) } while read < 0 && errno == EINTR
            failed = read < 0
            count = max(0, read)
        }
        guard !failed else { throw VoiceFolderError.unreadableFile(name) }
        return bytes.isEmpty ? nil : bytes
    }
}
