import EchoText
import Foundation
import NIOCore

/// A form with a sound in it, as an asynchronous sequence of its bytes.
///
/// - SeeAlso: RFC 7578, `multipart/form-data`.
struct MultipartForm: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// How many bytes are handed over at once.
    private static let portion = 1 << 16

    /// The length of the sound.
    let seconds: Double
    /// The size of the sound alone.
    let soundBytes: Int
    let contentType: String
    private let bytes: ByteBuffer
    /// Called whenever bytes are taken.
    private let taken: @Sendable () -> Void
    /// Called before bytes are taken, which ends the form when it throws.
    var check: @Sendable () async throws -> Void = {}

    /// - Parameters:
    ///   - fields: By name, in the order in which they are sent.
    ///   - clip: Becomes the WAV file `speech.wav` of the field `file`.
    ///   - boundary: Occurs nowhere else in the form.
    ///   - taken: Called whenever bytes are taken.
    init(
        _ fields: [(name: String, value: String)],
        clip: AudioClip,
        boundary: String = "echotext-\(UUID().uuidString)",
        taken: @escaping @Sendable () -> Void = {}
    ) {
        let file = WAVHeader.file(of: clip.pcm16, sampleRate: clip.sampleRate)
        var bytes = ByteBuffer()
        bytes.reserveCapacity(file.count + 8_192)
        for (name, value) in fields {
            bytes.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
        }
        bytes.writeString(
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\n"
                + "Content-Type: audio/wav\r\n\r\n"
        )
        bytes.writeBytes(file)
        bytes.writeString("\r\n--\(boundary)--\r\n")
        (self.bytes, self.taken) = (bytes, taken)
        (seconds, soundBytes) = (clip.seconds, 2 * clip.samples.count)
        contentType = "multipart/form-data; boundary=\(boundary)"
    }

    /// All of it, in bytes.
    var length: Int { bytes.readableBytes }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ByteBuffer
        let taken: @Sendable () -> Void
        let check: @Sendable () async throws -> Void

        mutating func next() async throws -> ByteBuffer? {
            try await check()
            taken()
            return rest.readSlice(length: Swift.min(MultipartForm.portion, rest.readableBytes))
                .flatMap { $0.readableBytes > 0 ? $0 : nil }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes, taken: taken, check: check) }
}
