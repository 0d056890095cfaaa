import EchoText
import Foundation

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
    /// - Throws: ``EngineError/missing(_:)``.
    init(_ path: String, of library: EngineLibrary, wanted: String) throws(EngineError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw .missing(library) }
        self.handle = handle
        self.library = library
        self.wanted = wanted
    }

    /// The C function called `name`; `Function` must be the type its header declares.
    ///
    /// - Throws: ``EngineError/wrongVersion(_:found:wanted:)``.
    func function<Function>(_ name: String) throws(EngineError) -> Function {
        guard let address = dlsym(handle, name) else {
            throw .wrongVersion(library, found: "without \(name)", wanted: wanted)
        }
        return unsafeBitCast(address, to: Function.self)
    }
}
