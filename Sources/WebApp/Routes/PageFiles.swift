import CZlib
import Crypto
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

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
    func serve(_ request: Request, _ context: WebRequestContext) async throws -> Response {
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
    // The initializer fails only for characters a header name may not have.
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

/// Which modules of the page import which, as their `import … from "./…"` statements say.
///
/// Modules that are imported dynamically, by `import("./…")`, are not among them.
struct ModuleGraph: Sendable {
    private let imports: [String: OnDemand<[String]>]

    /// - Parameters:
    ///   - modules: The modules' addresses, such as `/core/dom.js`.
    ///   - source: Returns the text of a module, when something first needs that module.
    init(_ modules: Set<String>, source: @escaping @Sendable (String) -> String) {
        imports = modules.reduce(into: [:]) { imports, module in
            imports[module] = OnDemand { Self.imports(of: source(module), at: module).filter(modules.contains) }
        }
    }

    /// Returns the modules and everything they import, without repetition, in order.
    ///
    /// Addresses without a module are ignored.
    func needed(by modules: [String]) -> [String] {
        var found = modules.filter { imports[$0] != nil }
        var known = Set(found)
        var next = 0
        while next < found.count {
            found += (imports[found[next]]?.value ?? []).filter { known.insert($0).inserted }
            next += 1
        }
        return found
    }

    private static func imports(of source: String, at address: String) -> [String] {
        let folder = address.split(separator: "/").dropLast().map(String.init)
        var source = source
        return source.withUTF8(addresses).map { resolve($0, in: folder) }
    }

    /// Finds the imports in statements that begin lines, byte by byte: the first visit waits for it.
    private static func addresses(in source: UnsafeBufferPointer<UInt8>) -> [String] {
        var found: [String] = []
        var line = 0
        while line < source.count {
            if let address = imported(in: source, at: line) { found.append(address) }
            line = source.endOfLine(from: line) + 1
        }
        return found
    }

    /// The relative address that a statement imports from; `nil` where no such statement begins.
    private static func imported(in source: UnsafeBufferPointer<UInt8>, at start: Int) -> String? {
        let names = start + 6
        guard names < source.count, source.has("import", at: start) || source.has("export", at: start),
            let quote = (names..<source.count).first(where: source.endsNames), source[quote] == UInt8(ascii: "\"")
        else { return nil }
        var end = quote
        while end > names, source.isSpace(at: end - 1) { end -= 1 }
        let isBare = end == names
        let isAfterKeyword = isBare || !source.isOfWord(at: names)
        let isBeforeFrom = end - names > 4 && source.has("from", at: end - 4) && !source.isOfWord(at: end - 5)
        guard isAfterKeyword, isBare || isBeforeFrom,
            let close = source.place(of: UInt8(ascii: "\""), in: quote + 1..<source.count), close - quote > 2,
            source[quote + 1] == UInt8(ascii: "."), source.has(";", at: close + 1)
        else { return nil }
        return String(decoding: UnsafeBufferPointer(rebasing: source[quote + 1..<close]), as: UTF8.self)
    }

    private static func resolve(_ relative: String, in folder: [String]) -> String {
        let parts = relative.split(separator: "/").reduce(into: folder) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// A script of the page, in the form in which it is sent.
enum SentScript {
    /// Removes the comments on their own lines, `/** … */` and `// …`, from a script; all other lines keep their numbers.
    ///
    /// They are for developers, and make up a quarter of what a browser would receive.
    static func text(of source: String) -> String {
        var source = source
        return String(decoding: source.withUTF8(withoutComments), as: UTF8.self)
    }

    private static func withoutComments(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sent: [UInt8] = []
        sent.reserveCapacity(source.count)
        // The end of the copied text; the text since then is copied when a dropped part follows.
        var taken = 0
        var isWithin = false
        var start = 0
        while start <= source.count {
            let end = source.endOfLine(from: start)
            let close = endOfComment(in: source, start..<end)
            if !isWithin, isLineComment(in: source, start..<end) {
                sent += UnsafeBufferPointer(rebasing: source[taken..<start])
                taken = end
            } else if isWithin || isComment(in: source, start..<end, until: close) {
                sent += UnsafeBufferPointer(rebasing: source[taken..<start])
                taken = isWithin ? close ?? end : end
                isWithin = close == nil
            }
            start = end + 1
        }
        sent += UnsafeBufferPointer(rebasing: source[taken...])
        return sent
    }

    /// Returns the position after the first `*/` of a line.
    private static func endOfComment(in source: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Int? {
        var start = line.lowerBound
        while let slash = source.place(of: UInt8(ascii: "/"), in: start..<line.upperBound) {
            if slash > line.lowerBound, source[slash - 1] == UInt8(ascii: "*") { return slash + 1 }
            start = slash + 1
        }
        return nil
    }

    private static func isLineComment(in source: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        guard let start = line.first(where: { !source.isSpace(at: $0) }), start + 2 <= line.upperBound else {
            return false
        }
        return source.has("//", at: start)
    }

    /// Whether a line begins with `/**`, and nothing follows the comment on that line: otherwise it is code, such as a
    /// cast.
    private static func isComment(
        in source: UnsafeBufferPointer<UInt8>,
        _ line: Range<Int>,
        until close: Int?
    ) -> Bool {
        guard let start = line.first(where: { !source.isSpace(at: $0) }), start + 3 <= line.upperBound,
            source.has("/**", at: start)
        else { return false }
        guard let close else { return true }
        return (close..<line.upperBound).allSatisfy(source.isSpace)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first position of a byte within a range.
    fileprivate func place(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty, let baseAddress,
            let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(baseAddress).distance(to: UnsafeRawPointer(found))
    }

    fileprivate func endOfLine(from start: Int) -> Int {
        place(of: UInt8(ascii: "\n"), in: start..<count) ?? count
    }

    fileprivate func has(_ word: StaticString, at place: Int) -> Bool {
        guard let baseAddress, place + word.utf8CodeUnitCount <= count else { return false }
        return memcmp(baseAddress + place, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    fileprivate func isSpace(at place: Int) -> Bool {
        switch self[place] {
        case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: true
        default: false
        }
    }

    /// Whether there is `"`, `(`, `)` or `;`, none of which occurs in a list of names.
    fileprivate func endsNames(at place: Int) -> Bool {
        switch self[place] {
        case 0x22, 0x28, 0x29, 0x3B: true
        default: false
        }
    }

    /// Whether there is a letter, a digit, `_` or a part of a character beyond ASCII.
    fileprivate func isOfWord(at place: Int) -> Bool {
        switch self[place] {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }
}

/// A value that is made when it is first needed, and kept.
final class OnDemand<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    /// - Parameter make: Makes the value; it runs once, and must not ask for the value itself.
    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value; callers that come while it is being made wait for it.
    var value: Value {
        kept.withLock { kept in
            if let kept { return kept }
            let made = make()
            kept = made
            return made
        }
    }
}
