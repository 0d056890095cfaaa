import Testing

@testable import WebApp

@Suite("A byte range")
struct ByteRangeTests {
    @Test(
        "says which bytes are wanted",
        arguments: [
            ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-10", 90..<100), ("bytes=50-500", 50..<100),
            ("bytes=-500", 0..<100), ("bytes=99-99", 99..<100), ("bytes=5-9223372036854775807", 5..<100),
            ("bytes=-9223372036854775807", 0..<100), ("Bytes=0-1", 0..<2), ("bytes= 0-1", 0..<2),
        ]
    )
    func inside(_ field: String, _ bytes: Range<Int>) throws {
        #expect(try #require(ByteRange(field)).range(in: 100) == bytes)
    }

    @Test("of nothing that is there has no bytes", arguments: ["bytes=100-", "bytes=100-200", "bytes=-0"])
    func outside(_ field: String) throws {
        #expect(try #require(ByteRange(field)).range(in: 100) == nil)
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "bytes=", "bytes=-", "bytes=5-1", "bytes=a-b", "items=0-1", "bytes=0-1,5-6", "bytes=-1-2",
            "bytes=9223372036854775808-5", "bytes=0-9223372036854775808",
        ]
    )
    func malformed(_ field: String) {
        #expect(ByteRange(field) == nil)
    }
}
