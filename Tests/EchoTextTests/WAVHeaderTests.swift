import EchoText
import Foundation
import Testing

@Suite("WAV header")
struct WAVHeaderTests {
    private func number<Number: FixedWidthInteger>(_ bytes: some Collection<UInt8>, as type: Number.Type) -> Number {
        bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    @Test("gives the sizes of what fits into 4 GiB")
    func small() {
        let header = WAVHeader(sampleRate: 22_050, dataLength: 1_000, isExtensible: true).bytes
        #expect(Array(header[0..<4]) == Array("RIFF".utf8))
        #expect(number(header[4..<8], as: UInt32.self) == UInt32(header.count - 8 + 1_000))
        #expect(Array(header[12..<16]) == Array("JUNK".utf8))
        #expect(number(header.suffix(4), as: UInt32.self) == 1_000)
    }

    @Test("becomes RF64 beyond")
    func large() {
        let length: Int64 = 5 << 30
        let header = WAVHeader(sampleRate: 22_050, dataLength: length, isExtensible: true).bytes
        #expect(Array(header[0..<4]) == Array("RF64".utf8))
        #expect(number(header[4..<8], as: UInt32.self) == .max)
        #expect(Array(header[12..<16]) == Array("ds64".utf8))
        #expect(number(header[20..<28], as: UInt64.self) == UInt64(header.count - 8) + UInt64(length))
        #expect(number(header[28..<36], as: UInt64.self) == UInt64(length))
        #expect(number(header[36..<44], as: UInt64.self) == UInt64(length / 2))
        #expect(number(header.suffix(4), as: UInt32.self) == .max)
        #expect(header.count == WAVHeader(sampleRate: 22_050, dataLength: nil, isExtensible: true).bytes.count)
    }

    @Test("holds tags in chunks of even length", arguments: ["", "a", "ab", "õ", "Long"])
    func tags(_ title: String) {
        let bare = WAVHeader(sampleRate: 22_050, dataLength: nil, isExtensible: false).bytes
        let tagged = WAVHeader(sampleRate: 22_050, tags: AudioTags(title: title), dataLength: nil, isExtensible: false)
        let padded = (title.utf8.count + 2) / 2 * 2
        #expect(tagged.bytes.count - bare.count == 20 + padded)
        let list = tagged.bytes.suffix(28 + padded)
        #expect(Array(list.prefix(4)) == Array("LIST".utf8))
        #expect(number(list.dropFirst(4).prefix(4), as: UInt32.self) == UInt32(12 + padded))
        #expect(number(list.dropFirst(16).prefix(4), as: UInt32.self) == UInt32(title.utf8.count + 1))
        #expect(Array(list.dropFirst(20).prefix(title.utf8.count)) == Array(title.utf8))
    }

    @Test("of a short sound is the 44 bytes that every reader knows")
    func plain() {
        let expected: [UInt8] =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
            + [0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 0, 0, 0]
        #expect(WAVHeader(sampleRate: 22_050, dataLength: 4).bytes == expected)
        #expect(WAVHeader.file(of: [1, -2], sampleRate: 22_050) == Data(expected + [1, 0, 0xFE, 0xFF]))
        #expect(WAVHeader(plain: Data(expected), fileLength: 48)?.sampleRate == 22_050)
        #expect(WAVHeader(plain: Data(expected), fileLength: 46) == nil)
    }
}
