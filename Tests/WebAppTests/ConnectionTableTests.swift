import Testing

@testable import WebApp

@Suite("The table of connections")
struct ConnectionTableTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1CAC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1
           1: 0100007F:D431 0100007F:1CAC 01 00000000:00000000 00:00000000 00000000  1001        0 12 1
           2: 0100007F:1CAC 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 13 1
        """

    @Test("says whose the other end is")
    func owner() {
        let table = ConnectionTable(Self.table)
        #expect(table.owner(from: 0xD431, to: 0x1CAC) == 1_001)
        #expect(table.owner(from: 0x1CAC, to: 0xD431) == 1_000)
        #expect(table.owner(from: 0xD432, to: 0x1CAC) == nil)
        #expect(ConnectionTable("").owner(from: 1, to: 2) == nil)
    }
}
