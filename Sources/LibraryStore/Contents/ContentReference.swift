package import Foundation

/// Which sealed file holds something, and what it has to look like: the row that points at a file carries this, so that a
/// file put in its place is noticed.
package struct ContentReference: Sendable, Hashable, Codable {
    /// 32 hexadecimal digits, made up at random.
    package var id: String
    /// Bytes of the sealed file.
    package var size: Int
    /// SHA-256 of its age header.
    package var headerHash: Data
    /// Bytes inside.
    package var length: Int

    package init(id: String, size: Int, headerHash: Data, length: Int) {
        self.id = id
        self.size = size
        self.headerHash = headerHash
        self.length = length
    }
}
