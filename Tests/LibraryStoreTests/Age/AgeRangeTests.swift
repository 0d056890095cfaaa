import EchoText
import LibraryStore
import Testing

@Suite struct AgeRanges {
    private static let edges = [
        0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 196_607, 196_608, 199_999, 200_000,
    ]

    @Test func `any range has the bytes that were sealed there`() throws {
        let identity = try AgeIdentity()
        let bytes = AgeFiles.bytes(200_000)
        let reader = try AgeFiles.reader(of: AgeFiles.seal(bytes, for: identity), identity)
        #expect(reader.length == bytes.count)
        for (place, from) in Self.edges.enumerated() {
            for to in Self.edges[place...] {
                #expect(try reader.read(from..<to) == Array(bytes[from..<to]), "\(from)..<\(to)")
            }
        }
    }

    @Test func `small reads in a row, forwards and backwards, are right`() throws {
        let identity = try AgeIdentity()
        let bytes = AgeFiles.bytes(3_000_000)
        let reader = try AgeFiles.reader(of: AgeFiles.seal(bytes, for: identity), identity)
        let starts = Array(stride(from: 0, to: 2_999_000, by: 1_777 * 17))
        for start in starts + starts.reversed() {
            #expect(try reader.read(start..<(start + 1_000)) == Array(bytes[start..<(start + 1_000)]))
        }
        #expect(try reader.read(10..<2_999_999) == Array(bytes[10..<2_999_999]))
        try reader.verify()
    }

    @Test func `a check of a whole file ends when its task is cancelled`() async {
        let checking = Task {
            let identity = try AgeIdentity()
            let reader = try AgeFiles.reader(of: AgeFiles.seal(AgeFiles.bytes(3_000_000), for: identity), identity)
            withUnsafeCurrentTask { $0?.cancel() }
            try reader.verify()
        }
        await #expect(throws: CancellationError.self) { try await checking.value }
    }

    @Test func `a wiped identity opens nothing`() throws {
        let scalar = SecretBytes(randomBytes: 32)
        let identity = try AgeIdentity(scalar: scalar)
        let file = try AgeFiles.seal([1, 2, 3], for: identity)
        scalar.wipe()
        #expect(throws: VaultError.locked) { try AgeFiles.open(file, identity) }
    }
}
