/// The file that a recording is imported from, as it came.
package struct ImportedFile: Sendable {
    package let bytes: any StoredBytes
    /// Whether its bytes are stored beside the sound; otherwise it is only recognized when it comes again.
    package let isKept: Bool

    package init(bytes: any StoredBytes, isKept: Bool) {
        (self.bytes, self.isKept) = (bytes, isKept)
    }
}
