import CPoppler
import Foundation

/// Collects the PNG bytes that cairo writes.
enum PNGSink {
    static func png(of surface: OpaquePointer) -> Data? {
        var data = Data()
        let status = withUnsafeMutablePointer(to: &data) { data in
            cairo_surface_write_to_png_stream(
                surface,
                { data, bytes, count in
                    guard let bytes else { return CAIRO_STATUS_WRITE_ERROR }
                    data?.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                },
                data
            )
        }
        return status == CAIRO_STATUS_SUCCESS ? data : nil
    }
}
