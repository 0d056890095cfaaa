import Testing

@testable import AudioFiles

@Suite("Samples of decoded sound")
struct DecodedSamplesTests {
    @Test("are those that the decoder had, and at full scale where a value is beyond it")
    func samples() {
        let values: [Float] = [0, 0.5, -0.5, 1, -1, 2, -2, .infinity, -.infinity, .nan, 1.5 / 32_768, -1.5 / 32_768]
        let expected: [Int16] = [
            0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 32_767, -32_768, 0, 2, -2,
        ]
        #expect(values[...].samples16 == expected)
        #expect(values[3..<5].samples16 == [32_767, -32_768])
        #expect(values[..<0].samples16.isEmpty)
        let all = [Int16](.min ... .max)
        let isSame = all.map { Float($0) / 32_768 }[...].samples16 == all
        #expect(isSame)
    }
}
