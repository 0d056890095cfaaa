import CPoppler
import CTurboJPEG
import EchoText
import Foundation

/// Makes a picture of a book's cover, from JPEG or PNG.
enum CoverPicture {
    /// The limit on the pixels of a cover.
    private static let maximumPixels = 64_000_000

    /// - Throws: ``DocumentError/coverNotDrawn``.
    static func picture(from bytes: Data, width: Int) throws(DocumentError) -> PagePicture {
        let source =
            bytes.starts(with: [0xFF, 0xD8]) ? jpeg(bytes) : bytes.starts(with: [0x89, 0x50]) ? png(bytes) : nil
        guard let source else { throw .coverNotDrawn }
        defer { cairo_surface_destroy(source) }
        guard let picture = scaled(source, width: width) else { throw .coverNotDrawn }
        return picture
    }

    private static func isSane(_ width: Int, _ height: Int) -> Bool {
        width > 0 && height > 0 && width <= 30_000 && height <= 30_000 && width * height <= maximumPixels
    }

    private static func jpeg(_ bytes: Data) -> OpaquePointer? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        return bytes.withUnsafeBytes { bytes -> OpaquePointer? in
            var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let length = CUnsignedLong(bytes.count)
            guard tjDecompressHeader3(decoder, start, length, &width, &height, &sampling, &colors) == 0,
                isSane(Int(width), Int(height)),
                let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
            else { return nil }
            let stride = cairo_image_surface_get_stride(surface)
            let pixels = cairo_image_surface_get_data(surface)
            // After a warning there is still a picture, damaged in places.
            let status = tjDecompress2(
                decoder,
                start,
                length,
                pixels,
                width,
                stride,
                height,
                Int32(TJPF_BGRX.rawValue),
                0
            )
            guard status == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
                cairo_surface_destroy(surface)
                return nil
            }
            cairo_surface_mark_dirty(surface)
            return surface
        }
    }

    private static func png(_ bytes: Data) -> OpaquePointer? {
        guard bytes.count > 24 else { return nil }
        func number(_ offset: Int) -> Int {
            bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        guard isSane(number(16), number(20)) else { return nil }
        var rest = bytes
        let surface = withUnsafeMutablePointer(to: &rest) { rest in
            cairo_image_surface_create_from_png_stream(
                { rest, target, count in
                    guard let rest = rest?.assumingMemoryBound(to: Data.self), let target,
                        rest.pointee.count >= Int(count)
                    else { return CAIRO_STATUS_READ_ERROR }
                    rest.pointee.copyBytes(to: target, count: Int(count))
                    rest.pointee = rest.pointee.dropFirst(Int(count))
                    return CAIRO_STATUS_SUCCESS
                },
                rest
            )
        }
        guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            return nil
        }
        return surface
    }

    private static func scaled(_ source: OpaquePointer, width: Int) -> PagePicture? {
        let size = (Double(cairo_image_surface_get_width(source)), Double(cairo_image_surface_get_height(source)))
        guard size.0 > 0, size.1 > 0 else { return nil }
        let scale = min(1, Double(width) / size.0, Double(PagePicture.highest) / size.1)
        let pixels = (width: max(Int((size.0 * scale).rounded()), 1), height: max(Int((size.1 * scale).rounded()), 1))
        let picture = DrawnPage.onWhite(width: pixels.width, height: pixels.height) { page, context in
            cairo_scale(context, Double(pixels.width) / size.0, Double(pixels.height) / size.1)
            cairo_set_source_surface(context, source, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
            cairo_paint(context)
            return page.picture
        }
        return picture ?? nil
    }
}
