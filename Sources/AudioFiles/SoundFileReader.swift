import CSndFile
package import EchoText
import Glibc

/// Reads a whole sound file into memory, several channels mixed to one.
///
/// A decoder that meets an untrusted file belongs in a process of its own; this one runs in the caller's.
package actor SoundFileReader {
    private nonisolated let executor = BlockingExecutor(label: "sound file reader")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init() {}

    /// Decodes the file at `path`; the format is detected from the content.
    ///
    /// - Parameters:
    ///   - path: A regular file.
    ///   - limit: The most samples, at the file's own rate, that the clip may have.
    ///   - rawSampleRate: For a file of raw PCM (mono, 16 bits, little-endian), which does not say its rate, in hertz;
    ///     `nil` for any other file.
    /// - Returns: One channel, at the file's own rate.
    /// - Throws: ``AudioFileError``, or `CancellationError`.
    package func read(_ path: String, limit: Int, rawSampleRate: Int? = nil) async throws -> AudioClip {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .fileMissing(file: name) : AudioFileError(errno: errno, file: name)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw status.st_mode & S_IFMT == S_IFDIR
                ? AudioFileError.isFolder(file: name) : AudioFileError.notSound(file: name)
        }
        guard let file = DecodedFile(descriptor, rawSampleRate: rawSampleRate) else {
            throw AudioFileError.notSound(file: name)
        }
        return try file.clip(limit: limit)
    }
}

/// Owns one `SNDFILE` opened for reading, and its descriptor.
private struct DecodedFile: ~Copyable {
    private static let block = 16_384

    private let handle: OpaquePointer
    private let info: SF_INFO

    init?(_ descriptor: Int32, rawSampleRate: Int?) {
        var info = SF_INFO()
        if let rawSampleRate {
            info.format = Int32(SF_FORMAT_RAW) | Int32(SF_FORMAT_PCM_16) | Int32(SF_ENDIAN_LITTLE)
            info.samplerate = Int32(clamping: rawSampleRate)
            info.channels = 1
        }
        // The last argument hands the descriptor over, also where opening fails.
        guard let handle = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else { return nil }
        self.handle = handle
        self.info = info
    }

    deinit { sf_close(handle) }

    borrowing func clip(limit: Int) throws -> AudioClip {
        let channels = Int(info.channels)
        var samples: [Float] = []
        var frames = [Float](repeating: 0, count: Self.block * channels)
        while true {
            try Task.checkCancellation()
            let count = Int(sf_readf_float(handle, &frames, sf_count_t(Self.block)))
            guard count > 0 else { break }
            guard samples.count + count <= limit else {
                throw AudioFileError.tooLong(seconds: Double(limit) / Double(info.samplerate))
            }
            for frame in 0..<count {
                let channelsOfFrame = frames[frame * channels..<(frame + 1) * channels]
                samples.append(channelsOfFrame.reduce(0, +) / Float(channels))
            }
        }
        guard sf_error(handle) == 0 else { throw AudioFileError.codecFailed(nil, status: sf_error(handle)) }
        return AudioClip(samples: samples, sampleRate: Int(info.samplerate))
    }
}
