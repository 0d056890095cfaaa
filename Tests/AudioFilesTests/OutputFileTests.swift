import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Glibc
import Testing

@Suite("Destination of a sound file", .endsInTime)
struct OutputFileTests {
    static let tone = AudioClip.tone(440, seconds: 0.5, sampleRate: 22_050)

    private func writer(
        to path: String,
        _ format: AudioFormat = .wav,
        leavesUnfinished: Bool = false
    ) async throws -> SoundFileWriter {
        try await SoundFileWriter(
            destination: .file(path),
            format: format,
            sampleRate: 22_050,
            leavesUnfinished: leavesUnfinished
        )
    }

    @Test("keeps what is there until the new file is whole", arguments: AudioFormat.allCases)
    func replacesLast(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/a"
            try Data("before".utf8).write(to: URL(filePath: path))
            let writer = try await writer(to: path, format)
            try await writer.append(Self.tone)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("before".utf8))
            try await writer.finish()
            #expect(try await read(path, format, 22_050).seconds > 0.4)
            try #expect(entries(of: folder) == ["a"])
        }
    }

    @Test("is left as it was when the sound is discarded", arguments: AudioFormat.allCases)
    func discarded(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            let writer = try await writer(to: "\(folder)/a", format)
            try await writer.append(Self.tone)
            try #expect(entries(of: folder).count == 1)
            await writer.discard()
            try #expect(entries(of: folder).isEmpty)
        }
    }

    @Test("can be seen while it is unfinished, if that is wanted, under a name that is free")
    func visible() async throws {
        try await withTemporaryFolder { folder in
            let first = try await writer(to: "\(folder)/a.wav", leavesUnfinished: true)
            let second = try await writer(to: "\(folder)/a.wav", leavesUnfinished: true)
            let plain = try await writer(to: "\(folder)/b", leavesUnfinished: true)
            let names = ["a (unfinished 2).wav", "a (unfinished).wav", "b (unfinished)"]
            try #expect(entries(of: folder) == names)
            for writer in [second, plain] { await writer.discard() }
            try await first.append(Self.tone)
            try await first.finish()
            try #expect(entries(of: folder) == ["a.wav"])
        }
    }

    @Test(
        "can be seen while it is unfinished though its name has no room for more",
        arguments: [
            // A name has 255 bytes; the first letter has two.
            ("", "õ", 125, ".wav", 118), ("", "x", 250, "", 237), ("a.", "x", 250, "", 237),
        ]
    )
    func visibleThoughLong(beginning: String, letter: String, count: Int, ending: String, left: Int) async throws {
        let name = "\(beginning)\(String(repeating: letter, count: count))\(ending)"
        let unfinished = "\(beginning)\(String(repeating: letter, count: left)) (unfinished)\(ending)"
        try await withTemporaryFolder { folder in
            let writer = try await writer(to: "\(folder)/\(name)", leavesUnfinished: true)
            try #expect(entries(of: folder) == [unfinished])
            try await writer.append(Self.tone)
            try await writer.finish()
            try #expect(entries(of: folder) == [name])
        }
    }

    @Test("keeps its sound beside its place where something else stands there by now")
    func placeTaken() async throws {
        try await withTemporaryFolder { folder in
            let writer = try await writer(to: "\(folder)/a.wav", leavesUnfinished: true)
            try await writer.append(Self.tone)
            #expect(mkdir("\(folder)/a.wav", 0o700) == 0)
            await #expect(throws: AudioFileError.self) { try await writer.keepWritten() }
            await writer.discard()
            try #expect(entries(of: folder) == ["a (unfinished).wav", "a.wav"])
            let kept = try await SoundFileReader().read("\(folder)/a (unfinished).wav", limit: 1_000_000)
            #expect(kept.samples.count == Self.tone.samples.count)
        }
    }

    @Test("keeps two recordings for one place that are made at once")
    func sharedPlace() async throws {
        try await withTemporaryFolder { folder in
            var writers: [SoundFileWriter] = []
            for _ in 1...2 {
                let writer = try await writer(to: "\(folder)/a.wav", leavesUnfinished: true)
                try await writer.append(Self.tone)
                writers.append(writer)
            }
            try await writers[0].finish()
            let first = try Data(contentsOf: URL(filePath: "\(folder)/a.wav"))
            await #expect(throws: AudioFileError.self) { try await writers[1].finish() }
            await #expect(throws: AudioFileError.self) { try await writers[1].keepWritten() }
            await writers[1].discard()
            try #expect(entries(of: folder) == ["a (unfinished 2).wav", "a.wav"])
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/a.wav")) == first)
            let kept = try await SoundFileReader().read("\(folder)/a (unfinished 2).wav", limit: 1_000_000)
            #expect(kept.samples.count == Self.tone.samples.count)
        }
    }

    @Test("leaves no hidden file where something else stands in its place by now")
    func hiddenPlaceTaken() async throws {
        try await withTemporaryFolder { folder in
            let writer = try await writer(to: "\(folder)/a.wav")
            try await writer.append(Self.tone)
            #expect(mkdir("\(folder)/a.wav", 0o700) == 0)
            await #expect(throws: AudioFileError.self) { try await writer.keepWritten() }
            await writer.discard()
            try #expect(entries(of: folder) == ["a.wav"])
        }
    }

    @Test("is refused before the work where it could not be written after it, and not touched else")
    func checked() async throws {
        try await withTemporaryFolder { folder in
            try ByteFile.check("\(folder)/a.txt")
            try Data("before".utf8).write(to: URL(filePath: "\(folder)/b.txt"))
            try ByteFile.check("\(folder)/b.txt")
            try ByteFile.check("/dev/null")
            // Nobody reads it.
            try makeFIFO(at: "\(folder)/pipe")
            #expect(mkdir("\(folder)/c", 0o700) == 0)
            try ByteFile.check("\(folder)/pipe")
            #expect(throws: AudioFileError.isFolder(file: "c")) { try ByteFile.check("\(folder)/c") }
            #expect(throws: AudioFileError.folderMissing(file: "a.txt")) { try ByteFile.check("\(folder)/d/a.txt") }
            #expect(throws: AudioFileError.folderMissing(file: "a.txt")) { try ByteFile.check("\(folder)/b.txt/a.txt") }
            #expect(throws: AudioFileError.self) { try ByteFile.check("\(folder)/d/") }
            try #expect(Set(entries(of: folder)) == ["b.txt", "c", "pipe"])
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/b.txt")) == Data("before".utf8))
        }
    }

    @Test("is freed of what an ended program has left half written, and of nothing else")
    func sweep() async throws {
        try await withTemporaryFolder { folder in
            let (left, other, written) = (".echotext-left.partial", ".other.partial", ".echotext-written.partial")
            for name in [left, other, written] {
                try Data("half".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/.echotext-link.partial",
                withDestinationPath: "\(folder)/\(other)"
            )
            // As whoever writes one holds it.
            let holder = open("\(folder)/\(written)", O_WRONLY | O_CLOEXEC)
            defer { close(holder) }
            try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
            let writer = try await writer(to: "\(folder)/a")
            try await writer.append(Self.tone)
            try await writer.finish()
            try #expect(Set(entries(of: folder)) == ["a", other, written, ".echotext-link.partial"])
        }
    }

    @Test("is left as it was when the writer is forgotten")
    func forgotten() async throws {
        try await withTemporaryFolder { folder in
            do {
                let writer = try await writer(to: "\(folder)/a")
                try await writer.append(Self.tone)
            }
            try #expect(entries(of: folder).isEmpty)
        }
    }

    @Test("holds what came before a cancellation, if that is wanted", arguments: AudioFormat.allCases)
    func partial(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            let writer = try await writer(to: "\(folder)/a", format)
            try await writer.append(Self.tone)
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await #expect(throws: CancellationError.self) { try await writer.append(Self.tone) }
                try await writer.finishPartial()
            }
            try await cancelled.value
            let kept = try await read("\(folder)/a", format, 22_050)
            #expect(abs(kept.seconds - Self.tone.seconds) < 0.05)
        }
    }

    @Test("keeps the permissions of the file it replaces, and follows symbolic links")
    func permissions() async throws {
        try await withTemporaryFolder { folder in
            let (path, link) = ("\(folder)/a", "\(folder)/link")
            try Data().write(to: URL(filePath: path))
            try #require(chmod(path, 0o640) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
            try await write([Self.tone], to: link, .wav)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o640 && status.st_size > 20_000)
            #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    @Test("is refused where it is a symbolic link to nothing, which stays and is named")
    func linkToNothing() async throws {
        try await withTemporaryFolder { folder in
            let link = "\(folder)/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "away/a.wav")
            let reason = AudioFileError.linkToNothing(file: "link", target: "away/a.wav")
            #expect(throws: reason) { try ByteFile.check(link) }
            await #expect(throws: reason) { _ = try await writer(to: link) }
            await #expect(throws: reason) { _ = try await ByteFile(path: link) }
            #expect(reason.failure.message.contains("“away/a.wav”"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "away/a.wav")
            try #expect(entries(of: folder) == ["link"])
        }
    }

    @Test(
        "is refused with a reason",
        arguments: [
            ("", AudioFileError.fileMissing(file: "")),
            ("missing/a.wav", .folderMissing(file: "a.wav")),
            ("file/a.wav", .folderMissing(file: "a.wav")),
            ("folder", .isFolder(file: "folder")),
            ("folder/", .isFolder(file: "folder")),
            (String(repeating: "x", count: 300), .nameTooLong),
        ]
    )
    func refused(_ name: String, reason: AudioFileError) async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(filePath: "\(folder)/file"))
            try FileManager.default.createDirectory(atPath: "\(folder)/folder", withIntermediateDirectories: false)
            await #expect(throws: reason) { _ = try await writer(to: name.isEmpty ? "" : "\(folder)/\(name)") }
        }
    }

    @Test("is refused in a folder that may not be written to")
    func unwritable() async throws {
        try await withTemporaryFolder { folder in
            try #require(chmod(folder, 0o500) == 0)
            // Root may do what a folder's permissions forbid, but not in the kernel's own folders.
            let place = geteuid() == 0 ? "/sys" : folder
            await #expect(throws: AudioFileError.notPermitted(file: "a.wav")) {
                _ = try await writer(to: "\(place)/a.wav")
            }
            try #require(chmod(folder, 0o700) == 0)
        }
    }

    @Test("says so when the disk is full", arguments: AudioFormat.allCases)
    func diskFull(_ format: AudioFormat) async throws {
        await #expect(throws: AudioFileError.diskFull) {
            let writer = try await writer(to: "/dev/full", format)
            do {
                try await writer.append(Self.tone)
                try await writer.finish()
            } catch {
                await writer.discard()
                throw error
            }
        }
    }

    @Test("may be a device", arguments: AudioFormat.allCases)
    func device(_ format: AudioFormat) async throws {
        let writer = try await writer(to: "/dev/null", format)
        try await writer.append(Self.tone)
        try await writer.finish()
    }

    @Test("may be a FIFO, once something reads it")
    func fifo() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/fifo"
            try makeFIFO(at: path)
            let writing = Task { try await write([Self.tone], to: path, .raw) }
            let bytes = await bytes(ofFileAt: path)
            try await writing.value
            #expect(bytes.count == Self.tone.samples.count * 2)
            try #expect(entries(of: folder) == ["fifo"])
        }
    }

    @Test("may be the name of an open pipe, as a shell gives it")
    func openPipe() async throws {
        let bytes = try await Pipe().bytes { try await write([Self.tone], to: "/dev/fd/\($0)", .raw) }
        #expect(bytes.count == Self.tone.samples.count * 2)
    }

    @Test("does not wait for a FIFO's reader once cancelled")
    func fifoWithoutReader() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/fifo"
            try makeFIFO(at: path)
            let writing = Task { try await write([Self.tone], to: path, .raw) }
            writing.cancel()
            await #expect(throws: CancellationError.self) { try await writing.value }
        }
    }
}
