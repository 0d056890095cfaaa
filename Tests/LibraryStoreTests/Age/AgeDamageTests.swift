import EchoText
import LibraryStore
import Testing

/// Files of 2.5 chunks, 3 whole ones, and less than one.
@Suite struct AgeDamage {
    private static let sizes = [0, 100, 65_536, 163_840, 196_608]
    private let identity: AgeIdentity

    init() throws {
        identity = try AgeIdentity()
    }

    /// Some range is rejected; every other one has the original bytes.
    private func expectRefusal(_ file: [UInt8], of bytes: [UInt8], _ comment: String) {
        #expect(throws: AgeError.self, "\(comment)") {
            let reader = try AgeFiles.reader(of: file, identity)
            for start in stride(from: 0, to: reader.length, by: 50_000) {
                let end = min(reader.length, start + 50_000)
                // A returned range has the original bytes, even in a file that is damaged elsewhere.
                #expect(try reader.read(start..<end) == Array(bytes[start..<min(bytes.count, end)]), "\(comment)")
            }
        }
    }

    @Test(arguments: sizes) func `a file cut short anywhere near an edge is refused`(size: Int) throws {
        let bytes = AgeFiles.bytes(size)
        let file = try AgeFiles.seal(bytes, for: identity)
        var edges = [0, 22, AgeFiles.header, AgeFiles.start, file.count]
        edges += Array(stride(from: AgeFiles.start, to: file.count, by: AgeFiles.sealedChunk))
        for edge in edges {
            for cut in [edge - 17, edge - 16, edge - 1, edge, edge + 1, edge + 15, edge + 16, edge + 17]
            where (0..<file.count).contains(cut) {
                expectRefusal(Array(file[..<cut]), of: bytes, "cut to \(cut) of \(file.count)")
            }
        }
    }

    @Test(arguments: sizes) func `a file cut short is refused before any of it is given out`(size: Int) throws {
        let file = try AgeFiles.seal(AgeFiles.bytes(size), for: identity)
        for cut in stride(from: 0, to: file.count, by: 4_096) {
            #expect(throws: AgeError.self) { try AgeFiles.reader(of: Array(file[..<cut]), identity) }
        }
    }

    @Test func `a flipped bit anywhere is noticed`() throws {
        let bytes = AgeFiles.bytes(163_840)
        let file = try AgeFiles.seal(bytes, for: identity)
        var places = Array(0..<AgeFiles.start)
        for start in stride(from: AgeFiles.start, to: file.count, by: AgeFiles.sealedChunk) {
            for place in [0, 30_000, AgeFiles.chunk - 1, AgeFiles.chunk, AgeFiles.sealedChunk - 1] {
                places.append(min(start + place, file.count - 1))
            }
        }
        places.append(file.count - 16)
        for place in places {
            var changed = file
            changed[place] ^= 1 << UInt8(place % 8)
            expectRefusal(changed, of: bytes, "bit of byte \(place)")
        }
    }

    @Test func `chunks in another order, missing or twice are noticed`() throws {
        let bytes = AgeFiles.bytes(262_144)
        let file = try AgeFiles.seal(bytes, for: identity)
        let head = Array(file[..<AgeFiles.start])
        let chunks = stride(from: AgeFiles.start, to: file.count, by: AgeFiles.sealedChunk).map {
            Array(file[$0..<($0 + AgeFiles.sealedChunk)])
        }
        for order in [
            [1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2], [0, 1, 2], [0, 1, 3], [3], [0, 0, 1, 2, 3], [0, 1, 2, 3, 3],
        ] {
            expectRefusal(head + order.flatMap { chunks[$0] }, of: bytes, "order \(order)")
        }
    }

    @Test(arguments: sizes) func `bytes behind the end are noticed`(size: Int) throws {
        let bytes = AgeFiles.bytes(size)
        let file = try AgeFiles.seal(bytes, for: identity)
        for more in [1, 15, 16, 17, 1_000, 65_536, 65_552, 70_000] {
            expectRefusal(file + AgeFiles.bytes(more, seed: 9), of: bytes, "\(more) bytes more")
        }
    }

    @Test func `another file's chunks or header are noticed`() throws {
        let bytes = AgeFiles.bytes(70_000)
        let (one, two) = (try AgeFiles.seal(bytes, for: identity), try AgeFiles.seal(bytes, for: identity))
        expectRefusal(Array(one[..<AgeFiles.start] + two[AgeFiles.start...]), of: bytes, "other chunks")
        expectRefusal(Array(one[..<AgeFiles.header] + two[AgeFiles.header...]), of: bytes, "other header")
    }

    @Test func `each kind of damage has its error`() throws {
        let file = try AgeFiles.seal([1, 2, 3], for: identity)
        func error(at place: Int) -> AgeError? {
            var changed = file
            changed[place] = place < AgeFiles.header ? AgeFiles.otherLetter(changed[place]) : changed[place] ^ 1
            return AgeFiles.opened(changed, [identity]).error as? AgeError
        }
        #expect(error(at: 3) == .header)
        #expect(error(at: 130) == .headerAltered)
        #expect(error(at: 80) == .noMatch)
        #expect(error(at: 170) == .payload)
        #expect(error(at: 190) == .payload)
        let stranger = try AgeIdentity()
        #expect(AgeFiles.opened(file, [stranger]).error as? AgeError == .noMatch)
        #expect(AgeFiles.opened(file, [stranger, identity]).error == nil)
    }
}
