#if TESTABLE
internal import EchoText
internal import Foundation
internal import Synchronization

@testable internal import Workers

/// A worker's reply about an archive that may have taken it over, checked against the rules.
enum ArchiveTarget: FuzzTarget {
    /// The size of the archive in bytes and the rules; then the frames of the reply.
    static var seeds: [[UInt8]] {
        let names = ["a", "a/b", "a/./b/c.onnx", "../b", "/c", "é/e\u{301}", "a\\b", ".hidden", "a//b", "a/b\u{200F}"]
        let entries = names.map { [1] + [UInt8].counted($0) + [2, 40] }
        let refusals: [ModelInstallError] = [
            .damagedArchive, .tooManyFiles(limit: 3), .forbidden(.parentPath, name: "../a"), .bomb,
        ]
        let failures = refusals.compactMap { try? JSONEncoder().encode($0) }
            .map { [3] + [UInt8].counted(String(decoding: $0, as: UTF8.self)) }
        return [
            [10, 0, 0, 0, 16, 4] + [0] + .counted("voice") + [1] + .counted("voice/model.onnx") + [2, 200, 4],
            [10, 0, 0, 0, 16, 4] + entries.joined(),
            [255, 255, 255, 255, 200, 255] + entries.reversed().joined(),
        ] + failures.map { [10, 0, 0, 0, 16, 4] + $0 }
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        let size = Int(input.number(UInt32.self))
        var rules = ArchiveRules()
        rules.maximumEntries = Int(input.byte())
        rules.maximumBytes = Int(input.byte()) << 4
        rules.freeBytes = 256
        let written = WrittenFolder()
        var intake = ArchiveIntake(rules, archiveSize: size) { try written.take($0) }
        while !input.isAtEnd {
            guard let outcome = try outcome(of: frame(from: &input), in: &intake) else { continue }
            if case .failure(let error as ModelInstallError) = outcome {
                demand(!error.message.isEmpty, "a refusal has words")
                demand(!error.message.unicodeScalars.contains { $0.value < 0x20 }, "and no controls among them")
            }
            break
        }
        demand(written.entries <= rules.maximumEntries, "there are so many files and no more")
        demand(written.bytes <= rules.maximumBytes, "they hold so much and no more")
        demand(written.bytes <= max(rules.freeBytes, size * rules.maximumBytesPerByte), "and so much for their archive")
    }

    private static func frame(from input: inout FuzzInput) -> Frame {
        switch input.byte() & 7 {
        case 0: Frame(.entry, request: 1, payload: [0] + input.bytes())
        case 1, 5: Frame(.entry, request: 1, payload: [1] + input.bytes())
        case 2: Frame(.content, request: 1, payload: [UInt8](repeating: 7, count: Int(input.byte())))
        case 3: Frame(.failed, request: 1, payload: input.bytes())
        case 4: Frame(.done, request: 1)
        case 6: Frame(.entry, request: 1, payload: input.bytes())
        default: Frame(.entry, request: 1, payload: [1] + [UInt8](repeating: 0x61, count: 60 * Int(input.byte())))
        }
    }

    private static func outcome(of frame: Frame, in intake: inout ArchiveIntake) throws -> Result<Void, any Error>? {
        do {
            return try intake.receive(frame)
        } catch let error as ModelInstallError {
            return .failure(error)
        } catch is WorkerError {
            return .success(())
        } catch is DecodingError {
            return .success(())
        }
    }
}

/// A folder as the system sees it, where a name is bytes between slashes.
private final class WrittenFolder: Sendable {
    private struct State {
        var files: Set<[[UInt8]]> = []
        var entries = 0
        var bytes = 0
    }

    private let state = Mutex(State())

    var entries: Int { state.withLock { $0.entries } }
    var bytes: Int { state.withLock { $0.bytes } }

    func take(_ piece: ArchivePiece) throws {
        switch piece {
        case .folder(let name):
            _ = try place(of: name)
            state.withLock { $0.entries += 1 }
        case .file(let name):
            let place = try place(of: name)
            demand(!place.isEmpty, "a file has a name")
            state.withLock { state in
                demand(state.files.insert(place).inserted, "no file is written twice")
                state.entries += 1
            }
        case .bytes(let bytes): state.withLock { $0.bytes += bytes.count }
        }
    }

    private func place(of name: String) throws -> [[UInt8]] {
        try ArchiveRules.parts(of: name).map { part in
            let bytes = Array(part.utf8)
            demand(!bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0), "a part of a name is one")
            demand(!bytes.isEmpty && part != "." && part != "..", "a part of a name leads down")
            demand(bytes.count <= ArchiveRules.longestPart, "a part of a name is no longer than a system takes")
            return bytes
        }
    }
}
#endif
