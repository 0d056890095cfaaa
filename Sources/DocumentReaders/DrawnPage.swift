import CPoppler
import EchoText
import Foundation

/// A picture in memory that cairo draws on.
struct DrawnPage {
    private let surface: OpaquePointer
    private let width: Int
    private let height: Int

    /// Calls `draw` with a white page and the context that draws on it, neither of which it must keep.
    ///
    /// - Returns: What `draw` returns; `nil` without memory for such a page.
    static func onWhite<Result>(
        width: Int,
        height: Int,
        _ draw: (_ page: DrawnPage, _ context: OpaquePointer) -> Result
    ) -> Result? {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
            let context = cairo_create(surface)
        else { return nil }
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        return draw(DrawnPage(surface: surface, width: width, height: height), context)
    }

    var picture: PagePicture? { png.map { PagePicture(png: $0, width: width, height: height) } }

    private var png: Data? {
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

    /// Whether the picture shows anything: it has more than one color.
    var isDrawn: Bool {
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return false }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let pixels = UnsafeRawBufferPointer(start: data, count: stride * height)
        let first = pixels.prefix(3)
        return (0..<height).contains { row in
            // The fourth byte of a pixel has no meaning.
            (0..<width).contains { !pixels[(row * stride + $0 * 4)...].prefix(3).elementsEqual(first) }
        }
    }
}
