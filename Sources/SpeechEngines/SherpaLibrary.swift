import CSherpaOnnx
package import EchoText
import Foundation

/// sherpa-onnx, loaded at run time.
///
/// Debian does not package the library, so the program does not link it: without it, voices that need it are not
/// offered. Only the functions used here are looked up, each with its type in the header.
package struct SherpaLibrary: Sendable {
    /// The version whose header this program is built with; its structs change between versions.
    package static let wantedVersion = "2.0.1"

    let create: @Sendable @convention(c) (UnsafePointer<SherpaOnnxOfflineTtsConfig>?) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Void
    let sampleRate: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let speakers: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let generate:
        @Sendable @convention(c) (
            OpaquePointer?,
            UnsafePointer<CChar>?,
            UnsafePointer<SherpaOnnxGenerationConfig>?,
            SherpaOnnxGeneratedAudioProgressCallbackWithArg?,
            UnsafeMutableRawPointer?
        ) -> UnsafePointer<SherpaOnnxGeneratedAudio>?
    let destroyAudio: @Sendable @convention(c) (UnsafePointer<SherpaOnnxGeneratedAudio>?) -> Void

    /// Loads the library for the rest of the process's life.
    ///
    /// - Parameter folder: The folder that holds it, or `nil` for the system's search path.
    /// - Throws: ``EngineLibraryError/missing(_:)``, or ``EngineLibraryError/wrongVersion(_:found:wanted:)`` when its structs are not those
    ///   of the header this program was built with.
    package init(folder: String?) throws(EngineLibraryError) {
        let image = try LoadedImage.sherpaOnnx(in: folder)
        create = try image.function("SherpaOnnxCreateOfflineTts")
        destroy = try image.function("SherpaOnnxDestroyOfflineTts")
        sampleRate = try image.function("SherpaOnnxOfflineTtsSampleRate")
        speakers = try image.function("SherpaOnnxOfflineTtsNumSpeakers")
        generate = try image.function("SherpaOnnxOfflineTtsGenerateWithConfig")
        destroyAudio = try image.function("SherpaOnnxDestroyOfflineTtsGeneratedAudio")
    }
}

extension LoadedImage {
    /// Loads sherpa-onnx.
    ///
    /// - Parameter folder: The folder that holds it, or `nil` for the system's search path.
    /// - Returns: The library, of the right version.
    /// - Throws: ``EngineLibraryError``, as ``SherpaLibrary/init(folder:)`` does.
    static func sherpaOnnx(in folder: String?) throws(EngineLibraryError) -> LoadedImage {
        let name = "libsherpa-onnx-c-api.so"
        let path = folder.map { "\($0)/\(name)" } ?? name
        let wanted = SherpaLibrary.wantedVersion
        let image = try LoadedImage(path, of: .sherpaOnnx, wanted: wanted)
        let version: @convention(c) () -> UnsafePointer<CChar>? = try image.function("SherpaOnnxGetVersionStr")
        let found = version().map { String(cString: $0) } ?? "unknown"
        guard found == wanted else { throw .wrongVersion(.sherpaOnnx, found: found, wanted: wanted) }
        return image
    }
}

/// A shared library that is loaded at run time and stays loaded until the process ends.
struct LoadedImage {
    private let handle: UnsafeMutableRawPointer
    private let library: EngineLibrary
    /// The version that the program needs, for a message.
    private let wanted: String

    /// - Parameters:
    ///   - path: A file, or a bare name for the system's own search.
    ///   - library: The library to load.
    ///   - wanted: The version that is needed.
    /// - Throws: ``EngineLibraryError/missing(_:)``.
    init(_ path: String, of library: EngineLibrary, wanted: String) throws(EngineLibraryError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw .missing(library) }
        self.handle = handle
        self.library = library
        self.wanted = wanted
    }

    /// The C function called `name`; `Function` must be the type its header declares.
    ///
    /// - Throws: ``EngineLibraryError/wrongVersion(_:found:wanted:)``.
    func function<Function>(_ name: String) throws(EngineLibraryError) -> Function {
        guard let address = dlsym(handle, name) else {
            throw .wrongVersion(library, found: "without \(name)", wanted: wanted)
        }
        return unsafeBitCast(address, to: Function.self)
    }
}
