import Foundation

// Blocking reads get threads of their own: on Linux, Dispatch's global queue shares its few with Swift's tasks.

/// Everything in the file at `path`, read by a thread of its own until the last writer has closed it.
func bytes(ofFileAt path: String) async -> Data {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let file = FileHandle(forReadingAtPath: path)
            continuation.resume(returning: file?.readDataToEndOfFile() ?? Data())
        }
    }
}

extension Pipe {
    /// Everything that is written, until the writing end is closed.
    func allBytes() async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: self.fileHandleForReading.readDataToEndOfFile())
            }
        }
    }

    /// Everything that `body` writes; the writing end is closed after it, whatever happens.
    func bytes(writtenBy body: (Int32) async throws -> Void) async throws -> Data {
        async let received = allBytes()
        do {
            try await body(fileHandleForWriting.fileDescriptor)
        } catch {
            try fileHandleForWriting.close()
            throw error
        }
        try fileHandleForWriting.close()
        return await received
    }

    /// The first bytes, once there are any.
    func firstBytes() async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: self.fileHandleForReading.availableData)
            }
        }
    }
}

/// Runs `program` and gives back what it prints.
func output(of program: String, _ arguments: [String]) async throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return String(decoding: await pipe.allBytes(), as: UTF8.self)
}

/// Where FFmpeg's prober is, for tests that ask a stranger's decoder; they are skipped without it.
let ffprobe: String? = ["/usr/bin/ffprobe", "/usr/local/bin/ffprobe"].first(where: FileManager.default.isExecutableFile)

/// Where a speaker is, for tests on speech; they are skipped without it.
let espeak: String? = ["/usr/bin/espeak-ng", "/usr/local/bin/espeak-ng"]
    .first(where: FileManager.default.isExecutableFile)
