package import EchoText
import Foundation

/// ONNX Runtime, loaded at run time.
///
/// Its C interface is one table of functions that only grows, so each function keeps its index. The few functions
/// used here are read by index, with the types that the library documents; its header is not needed.
///
/// - SeeAlso: `struct OrtApi` at onnxruntime.ai/docs/api/c, which lists these members in order.
package final class ONNXRuntimeLibrary: Sendable {
    /// A version of the table that has all members used here; every later release of the library supports it.
    private static let tableVersion: UInt32 = 18

    /// A failure's handle; `nil` for success.
    typealias Status = OpaquePointer
    typealias Handle = OpaquePointer
    typealias Name = UnsafePointer<CChar>

    let version: String
    /// Reads a failure's message and releases the failure.
    private let message: @Sendable @convention(c) (Status) -> Name?
    private let releaseStatus: @Sendable @convention(c) (Status) -> Void

    let createEnvironment: @Sendable @convention(c) (Int32, Name, UnsafeMutablePointer<Handle?>) -> Status?
    let releaseEnvironment: @Sendable @convention(c) (Handle?) -> Void
    let createOptions: @Sendable @convention(c) (UnsafeMutablePointer<Handle?>) -> Status?
    let releaseOptions: @Sendable @convention(c) (Handle?) -> Void
    let configure: @Sendable @convention(c) (Handle, Name, Name) -> Status?
    let disableMemoryPatterns: @Sendable @convention(c) (Handle) -> Status?
    let setThreads: @Sendable @convention(c) (Handle, Int32) -> Status?
    let openSession: @Sendable @convention(c) (Handle, Name, Handle, UnsafeMutablePointer<Handle?>) -> Status?
    let createSession:
        @Sendable @convention(c) (
            Handle, UnsafeRawPointer, Int, Handle, UnsafeMutablePointer<Handle?>
        ) -> Status?
    let releaseSession: @Sendable @convention(c) (Handle?) -> Void
    let run:
        @Sendable @convention(c) (
            Handle, Handle?, UnsafePointer<Name?>, UnsafePointer<Handle?>, Int, UnsafePointer<Name?>, Int,
            UnsafeMutablePointer<Handle?>
        ) -> Status?
    let createMemoryInfo: @Sendable @convention(c) (Int32, Int32, UnsafeMutablePointer<Handle?>) -> Status?
    let releaseMemoryInfo: @Sendable @convention(c) (Handle?) -> Void
    let createArena:
        @Sendable @convention(c) (
            UnsafePointer<Name?>, UnsafePointer<Int>, Int, UnsafeMutablePointer<Handle?>
        ) -> Status?
    let releaseArena: @Sendable @convention(c) (Handle?) -> Void
    let registerAllocator: @Sendable @convention(c) (Handle, Handle, Handle) -> Status?
    let createTensor:
        @Sendable @convention(c) (
            Handle, UnsafeMutableRawPointer?, Int, UnsafePointer<Int64>, Int, Int32, UnsafeMutablePointer<Handle?>
        ) -> Status?
    let releaseValue: @Sendable @convention(c) (Handle?) -> Void
    let tensorData: @Sendable @convention(c) (Handle, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Status?
    let tensorShape: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Handle?>) -> Status?
    let releaseShape: @Sendable @convention(c) (Handle?) -> Void
    let elementType: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Status?
    let dimensionCount: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Int>) -> Status?
    let dimensions: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Int64>, Int) -> Status?

    /// Loads the library for the rest of the process's life.
    ///
    /// - Parameter folder: The folder that holds it under its name with a version, or `nil` for the system's search
    ///   path.
    /// - Throws: ``EngineLibraryError/missing(_:)``, or ``EngineLibraryError/wrongVersion(_:found:wanted:)`` for one that is too old.
    package init(folder: String?) throws(EngineLibraryError) {
        guard let image = dlopen(Self.path(in: folder), RTLD_NOW | RTLD_LOCAL),
            let base = dlsym(image, "OrtGetApiBase")
        else { throw .missing(.onnxRuntime) }
        let getBase = unsafeBitCast(base, to: (@convention(c) () -> UnsafeRawPointer?).self)
        guard let base = getBase().map(Table.init) else { throw .missing(.onnxRuntime) }
        let getTable: @convention(c) (UInt32) -> UnsafeRawPointer? = base.member(0)
        let getVersion: @convention(c) () -> Name? = base.member(1)
        version = getVersion().map { String(cString: $0) } ?? "unknown"
        guard let table = getTable(Self.tableVersion).map(Table.init) else {
            throw .wrongVersion(.onnxRuntime, found: version, wanted: "1.\(Self.tableVersion) or newer")
        }
        message = table.member(2)
        createEnvironment = table.member(3)
        openSession = table.member(7)
        createSession = table.member(8)
        run = table.member(9)
        createOptions = table.member(10)
        disableMemoryPatterns = table.member(17)
        setThreads = table.member(24)
        createTensor = table.member(49)
        tensorData = table.member(51)
        elementType = table.member(60)
        dimensionCount = table.member(61)
        dimensions = table.member(62)
        tensorShape = table.member(65)
        createMemoryInfo = table.member(69)
        releaseEnvironment = table.member(92)
        releaseStatus = table.member(93)
        releaseMemoryInfo = table.member(94)
        releaseSession = table.member(95)
        releaseValue = table.member(96)
        releaseShape = table.member(99)
        releaseOptions = table.member(100)
        configure = table.member(130)
        registerAllocator = table.member(144)
        releaseArena = table.member(157)
        createArena = table.member(164)
    }

    /// Turns what a call returned into an error.
    ///
    /// - Throws: ``ONNXRuntimeError``.
    func check(_ status: Status?) throws(ONNXRuntimeError) {
        guard let status else { return }
        defer { releaseStatus(status) }
        throw ONNXRuntimeError(message: message(status).map { String(cString: $0) } ?? "")
    }

    /// The newest library in `folder`: sherpa-onnx contains an older one whose name has no version.
    private static func path(in folder: String?) -> String {
        let name = "libonnxruntime.so"
        guard let folder else { return name }
        // A folder that cannot be listed contains no library.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let versioned = names.filter { $0.hasPrefix("\(name).") }
        return "\(folder)/\(versioned.max { $0.compare($1, options: .numeric) == .orderedAscending } ?? name)"
    }
}

/// ONNX Runtime's message for a failed call; for logs.
struct ONNXRuntimeError: Error, Equatable {
    let message: String
}

/// A table of function pointers, valid as long as the library.
private struct Table {
    let members: UnsafeRawPointer

    /// The function at index `place`; `Function` must be its documented type.
    func member<Function>(_ place: Int) -> Function {
        let address = members.load(
            fromByteOffset: place * MemoryLayout<UnsafeRawPointer>.stride,
            as: UnsafeRawPointer.self
        )
        return unsafeBitCast(address, to: Function.self)
    }
}
