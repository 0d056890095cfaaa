import CZlib
import Crypto
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The page's files, read once when the server starts: they are few and small.
struct PageFiles: Sendable {
    fileprivate struct File: Sendable {
        let type: String
        /// Prepared at the first request: a visit needs few of the files.
        let sent: OnDemand<SentBytes>
    }

    fileprivate struct SentBytes: Sendable {
        let bytes: ByteBuffer
        /// `nil` if that saves nothing.
        let compressed: ByteBuffer?
        let tag: String
    }

    private let files: [String: File]
    private let modules: ModuleGraph
    private let librarySession: LibrarySession
    private let sessions: SessionStore
    /// The page for a person who uses another host name.
    let elsewhere: ByteBuffer

    /// - Throws: ``WebError/pageMissing``.
    init(folder: String, librarySession: LibrarySession, sessions: SessionStore) throws {
        self.librarySession = librarySession
        self.sessions = sessions
        let names = FileManager.default.subpaths(atPath: folder) ?? []
        var files: [String: File] = [:]
        for name in names {
            guard let type = Self.types[(name as NSString).pathExtension],
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
            else { continue }
            files["/\(name)"] = File(type) { name.hasSuffix(".js") ? Self.asSent(data) : data }
        }
        guard files["/index.html"] != nil, let elsewhere = files.removeValue(forKey: "/elsewhere.html") else {
            throw WebError.pageMissing
        }
        let scripts = files.filter { $0.key.hasSuffix(".js") }
        let list = try JSONEncoder.page.encode(scripts.keys.filter { !$0.hasPrefix("/core/locales/") }.sorted())
        files["/modules.json"] = File("application/json") { list }
        self.files = files
        self.elsewhere = elsewhere.sent.value.bytes
        modules = ModuleGraph(Set(scripts.keys)) { address in
            scripts[address].map { String(buffer: $0.sent.value.bytes) } ?? ""
        }
    }

    private static func asSent(_ script: Data) -> Data {
        Data(SentScript.text(of: String(decoding: script, as: UTF8.self)).utf8)
    }

    /// The view of an address without one.
    private static let firstView = "speak"

    /// The view that a closed library shows at every address, and that is named to clients without a session.
    private static let closedView = "lock"

    /// Whether the library is open is disclosed to sessions only.
    private func view(for path: String, to token: String?) async -> String {
        guard let token, await sessions.use(token) != nil, let status = try? await librarySession.status(),
            status.state.isOpen
        else { return Self.closedView }
        return path.split(separator: "/").first.map(String.init) ?? Self.firstView
    }

    /// Makes a `Link` field with the files that a view loads first, so that a browser requests them all at once: the
    /// modules, the view's style, and the state that decides what is shown.
    ///
    /// - SeeAlso: RFC 8288 for the field; HTML Living Standard, link types “modulepreload” and “preload”.
    private func links(for view: String) -> String {
        // In the order in which they are needed: a browser makes six requests to a server at a time.
        let frame = modules.needed(by: ["/app.js"])
        let page = modules.needed(by: ["/pages/\(view).js"]).filter { !frame.contains($0) }
        let style = "/styles/\(view).css"
        let styles = files[style] == nil ? [] : ["<\(style)>; rel=preload; as=style"]
        let state = "</api/state>; rel=preload; as=fetch; crossorigin"
        func scripts(_ paths: [String]) -> [String] { paths.map { "<\($0)>; rel=modulepreload" } }
        return (styles + scripts(frame) + [state] + scripts(page)).joined(separator: ", ")
    }

    /// Finds the folder next to the program.
    ///
    /// `Bundle.module` traps if the folder is missing, so this checks first.
    static func shipped() throws -> String { "\(try shippedFolder())/www" }

    /// Reads the description of the API that ships with the program, without the additions of ``APIDescription``.
    ///
    /// - Throws: ``WebError/pageMissing``.
    static func description() throws -> Data {
        guard let data = FileManager.default.contents(atPath: "\(try shippedFolder())/openapi.json") else {
            throw WebError.pageMissing
        }
        return data
    }

    private static func shippedFolder() throws -> String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = (program as NSString).deletingLastPathComponent + "/EchoText_WebApp.resources"
        if FileManager.default.fileExists(atPath: beside) { return beside }
        guard let test = Bundle.allBundles.map(\.bundlePath).first(where: { $0.hasSuffix(".xctest") }) else {
            throw WebError.pageMissing
        }
        return (test as NSString).deletingLastPathComponent + "/EchoText_WebApp.resources"
    }

    /// The media type by the extension; a file with another extension is not served.
    private static let types = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "svg": "image/svg+xml",
        "png": "image/png",
    ]

    /// Serves a file; for the address of a view, the page.
    func serve(_ request: Request, _ context: StudioContext) async throws -> Response {
        let path = request.uri.path
        let isView = !path.contains(".")
        guard let file = files[path] ?? (isView ? files["/index.html"] : nil) else { throw WebError.notFound }
        let sent = file.sent.value
        var headers: HTTPFields = [.contentType: file.type, .eTag: sent.tag, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch] == sent.tag { return Response(status: .notModified, headers: headers) }
        if file.type.hasPrefix("text/html") {
            headers[.link] = links(for: await view(for: path, to: request.session))
        }
        headers[.vary] = "Accept-Encoding"
        guard request.headers[.acceptEncoding]?.contains("gzip") == true, let compressed = sent.compressed else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: sent.bytes))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: compressed))
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initialiser fails only for characters a header name may not have.
    static let link = Self("Link")!
}

extension PageFiles.File {
    init(_ type: String, _ content: @escaping @Sendable () -> Data) {
        self.type = type
        sent = OnDemand { PageFiles.SentBytes(content()) }
    }
}

extension PageFiles.SentBytes {
    init(_ data: Data) {
        bytes = ByteBuffer(bytes: data)
        let smaller = CompressedBytes.gzip(data)
        compressed = smaller.flatMap { $0.readableBytes < data.count ? $0 : nil }
        tag = Self.tag(of: data)
    }

    /// Enough of a hash to distinguish versions of a file.
    private static func tag(of data: Data) -> String {
        "\"\(Data(SHA256.hash(data: data).prefix(9)).base64EncodedString())\""
    }
}

/// Bytes as gzip, for files that are sent often and compressed once.
///
/// - SeeAlso: RFC 1952; zlib's manual for `deflate`.
enum CompressedBytes {
    private static let level: Int32 = 9  // the smallest

    /// - Returns: `nil` when zlib cannot allocate memory.
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
