import EchoText
import Glibc

/// An open way to a loudspeaker: mono, 16 bits.
///
/// Its calls block; only ``LoudspeakerSink`` makes them, on its queue.
protocol PlaybackDevice: AnyObject {
    /// Waits until `samples` have found room in the device's buffer, which holds about a fifth of a second.
    func play(_ samples: [Int16]) throws(AudioFileError)

    /// Waits until everything has been heard.
    func drain() throws(AudioFileError)

    /// Falls silent at once.
    func flush()
}

/// A shared library opened at run time, because a machine without it is still a machine to work on.
///
/// It is never closed: what was looked up in it stays valid.
struct LoadedLibrary {
    private let image: UnsafeMutableRawPointer

    /// `nil` when the system cannot find or load it.
    init?(_ name: String) {
        guard let image = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.image = image
    }

    /// The function called `name`, which must have the type asked for; `nil` when the library lacks it.
    func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function? {
        dlsym(image, name).map { unsafeBitCast($0, to: type) }
    }
}
