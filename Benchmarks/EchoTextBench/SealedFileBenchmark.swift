import EchoText
import Foundation
import LibraryStore

/// Seals, opens and reads age files, with the identity in the file `--identity`.
///
/// `seal` and `open` convert `--in` to `--out` once and print nothing; `range` opens `--in` and reads 1 MB from random
/// positions `--repeat` times, and prints the time of each, opening included, as one JSON object a line.
struct SealedFileBenchmark {
    static let modes: Set<String> = ["seal", "open", "range"]
    private static let piece = 1 << 20
    private static let rangeLength = 1_000_000

    let mode: String
    let identity: AgeIdentity
    let input: String
    let output: String?
    let repeats: Int

    init(mode: String, options: [String: String]) throws {
        guard let key = options["--identity"], let input = options["--in"] else { throw BenchmarkError.usage }
        let lines = try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n")
        guard let line = lines.first(where: { !$0.hasPrefix("#") }) else { throw BenchmarkError.usage }
        identity = try AgeIdentity(String(line))
        (self.mode, self.input, output) = (mode, input, options["--out"])
        repeats = options["--repeat"].flatMap { Int($0) } ?? 5
    }

    func run() throws {
        switch mode {
        case "seal": try seal()
        case "open": try open()
        default: try readRanges()
        }
    }

    private func seal() throws {
        let (source, target) = try (source(), target())
        let writer = try AgeWriter(for: [identity.recipient]) { try Self.write($0, to: target) }
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while case let count = try buffer.withUnsafeMutableBytes({ try Self.read($0, from: source) }), count > 0 {
            try buffer.withUnsafeBytes { try writer.write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        try writer.finish()
        close(target)
    }

    private func open() throws {
        let (source, target) = try (source(), target())
        let reader = try reader(of: source)
        for start in stride(from: 0, to: reader.length, by: Self.piece) {
            let bytes = try reader.read(start..<min(reader.length, start + Self.piece))
            try bytes.withUnsafeBytes { try Self.write($0, to: target) }
        }
        close(target)
    }

    private func reader(of source: Int32) throws -> AgeRangeReader {
        try AgeRangeReader(size: Int(lseek(source, 0, SEEK_END)), identities: [identity]) { place, buffer in
            guard pread(source, buffer.baseAddress, buffer.count, off_t(place)) == buffer.count else {
                throw BenchmarkError.input
            }
        }
    }

    private func readRanges() throws {
        let source = try source()
        let clock = ContinuousClock()
        for round in 0...repeats {
            let begun = clock.now
            let reader = try reader(of: source)
            let start = Int.random(in: 0...(reader.length - Self.rangeLength))
            guard try reader.read(start..<(start + Self.rangeLength)).count == Self.rangeLength else {
                throw BenchmarkError.input
            }
            if round > 0 { print(#"{"wall":\#((clock.now - begun) / .seconds(1))}"#) }
        }
    }

    private func source() throws -> Int32 {
        let descriptor = Foundation.open(input, O_RDONLY)
        guard descriptor >= 0 else { throw BenchmarkError.input }
        return descriptor
    }

    private func target() throws -> Int32 {
        guard let output else { throw BenchmarkError.usage }
        let descriptor = Foundation.open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError.input }
        return descriptor
    }

    private static func read(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws -> Int {
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw BenchmarkError.input }
        return count
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let buffer = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { throw BenchmarkError.input }
            rest = rest.dropFirst(count)
        }
    }
}
