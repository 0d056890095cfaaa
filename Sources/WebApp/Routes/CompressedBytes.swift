import CZlib
import Foundation
import NIOCore

/// Bytes as gzip, for files that are sent often and compressed once.
///
/// - SeeAlso: RFC 1952; zlib's manual for `deflate`.
enum CompressedBytes {
    private static let level: Int32 = 9  // the smallest

    /// - Returns: `nil` when zlib has no memory left.
    static func gzip(_ data: Data) -> ByteBuffer? {
        var stream = z_stream()
        guard zlib_begin_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
                (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return ByteBuffer(bytes: output.prefix(Int(stream.total_out)))
    }
}
