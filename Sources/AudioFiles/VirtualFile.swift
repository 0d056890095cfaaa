import CSndFile
import EchoText
import Glibc

/// An ``OutputFile`` as libsndfile sees it: with a position, and failures that are kept instead of lost.
///
/// libsndfile takes every file for one that it may write again. On a stream, what it writes a second time (lengths that
/// are known only at the end) has gone already and is dropped: those headers keep saying “unknown”.
final class VirtualFile {
    private let file: OutputFile
    private var position: Int64 = 0
    /// The first failure; nothing is written after it.
    private var failure: (any Error)?

    init(_ file: OutputFile) {
        self.file = file
    }

    func rethrowFailure() throws {
        if let failure { throw failure }
    }

    /// The callbacks for libsndfile; each takes the pointer that ``pointer`` gives.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { VirtualFile.at($0).file.length },
            seek: { offset, whence, user in VirtualFile.at(user).seek(offset, whence) },
            read: { _, _, _ in 0 },
            write: { bytes, count, user in
                VirtualFile.at(user).write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            },
            tell: { VirtualFile.at($0).position }
        )
    }

    /// Valid as long as this object lives.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> VirtualFile {
        guard let pointer else { preconditionFailure("libsndfile lost the file it was given") }
        return Unmanaged<VirtualFile>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        switch whence {
        case SEEK_SET: position = offset
        case SEEK_CUR: position += offset
        default: position = file.length + offset
        }
        return position
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        guard failure == nil else { return 0 }
        let gone = file.isStream ? min(bytes.count, Int(max(0, file.length - position))) : 0
        do {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[gone...])
            if !rest.isEmpty { try file.write(rest, at: position + Int64(gone)) }
        } catch {
            failure = error
            return 0
        }
        position += Int64(bytes.count)
        return Int64(bytes.count)
    }
}
