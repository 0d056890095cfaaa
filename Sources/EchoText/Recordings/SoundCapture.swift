/// Records from a microphone until stopped, and switches to another if it is disconnected.
package struct SoundCapture: Sendable {
    package struct Options: Sendable, Hashable {
        /// The microphone's id; `nil` for the default one.
        package var device: String?
        /// In hertz; `nil` for the best of ``SoundCapture/rates``.
        package var sampleRate: Int?
        /// The longest recording, in seconds; the library's maximum applies in any case.
        package var longest: Double?
        /// Samples that the recording has already.
        package var present = 0
        /// The number of pieces per second of sound, which bounds the loss if the program is killed.
        package var piecesPerSecond = 2

        package init(device: String? = nil, sampleRate: Int? = nil, longest: Double? = nil) {
            (self.device, self.sampleRate, self.longest) = (device, sampleRate, longest)
        }
    }

    package enum Event: Sendable, Hashable {
        /// After `seconds` of sound.
        case level(SoundLevel, seconds: Double)
        /// The microphone was disconnected, and another one continues.
        case continued(on: String)
    }

    /// Why it ended.
    package enum End: Sendable, Hashable {
        /// The task was cancelled.
        case stopped
        case longest
        /// The microphone was disconnected, and there is no other.
        case deviceGone
    }

    /// Sample rates in order of preference, in hertz.
    package static let rates = [48_000, 44_100, 16_000]
    /// How many attempts with other microphones are made before one delivers sound.
    private static let maximumAttempts = 3

    private let devices: any CaptureDevices

    package init(from devices: any CaptureDevices) {
        self.devices = devices
    }

    /// Captures sound until the task is cancelled or the maximum length is reached.
    ///
    /// - Parameters:
    ///   - options: The person's choices.
    ///   - begin: Called once with the open microphone.
    ///   - report: Receives the events.
    ///   - take: Receives the sound in pieces of the length that `options` define, the last one even if the task was
    ///     cancelled.
    /// - Returns: Why it ended, after all sound was passed on.
    /// - Throws: ``CaptureError`` when there is no microphone to begin with; what `begin` and `take` throw.
    package func run(
        _ options: Options,
        begin: (any CaptureDevice) async throws -> Void,
        report: (Event) async -> Void,
        take: @escaping @Sendable ([Int16]) async throws -> Void
    ) async throws -> End {
        var device = try await devices.open(options.device, rates: options.sampleRate.map { [$0] } ?? Self.rates)
        defer { device.close() }
        let rate = device.sampleRate
        try await begin(device)
        // Samples beyond the last whole second are not recorded.
        let kept = WAVHeader.maximumPlainData / 2 - options.present
        let most = min(options.longest.map { Int(min($0 * Double(rate), 1e12)) } ?? .max, max(1, kept))
        var buffer = CaptureBuffer(pieceLength: rate / options.piecesPerSecond, most: most)
        var attempts = 0
        while true {
            do {
                let sound = try await device.next()
                attempts = 0
                buffer.append(sound)
                await report(.level(SoundLevel(of: sound), seconds: Double(buffer.total) / Double(rate)))
                // A separate task: whoever stops the recording cancels this one, which must not interrupt the storing.
                while let piece = buffer.piece() { try await Task { try await take(piece) }.value }
                if buffer.isFull { return try await Self.end(.longest, &buffer, take) }
            } catch is CancellationError {
                return try await Self.end(.stopped, &buffer, take)
            } catch CaptureError.deviceGone {
                device.close()
                attempts += 1
                guard attempts <= Self.maximumAttempts, let next = try? await devices.open(nil, rates: [rate]),
                    next.sampleRate == rate
                else { return try await Self.end(.deviceGone, &buffer, take) }
                device = next
                await report(.continued(on: next.name))
            }
        }
    }

    /// Passes on the rest, even in a cancelled task.
    private static func end(
        _ end: End,
        _ buffer: inout CaptureBuffer,
        _ take: @escaping @Sendable ([Int16]) async throws -> Void
    ) async throws -> End {
        let rest = buffer.rest()
        if !rest.isEmpty { try await Task { try await take(rest) }.value }
        return end
    }
}

/// Captured sound that was not handed on yet.
private struct CaptureBuffer {
    private let pieceLength: Int
    private let most: Int
    private var samples: [Int16] = []
    /// All that was captured.
    private(set) var total = 0

    init(pieceLength: Int, most: Int) {
        (self.pieceLength, self.most) = (pieceLength, most)
    }

    var isFull: Bool { total >= most }

    mutating func append(_ sound: [Int16]) {
        let taken = sound.prefix(most - total)
        samples += taken
        total += taken.count
    }

    /// Returns a complete piece, if there is one.
    mutating func piece() -> [Int16]? {
        guard samples.count >= pieceLength else { return nil }
        defer { samples.removeFirst(pieceLength) }
        return Array(samples.prefix(pieceLength))
    }

    mutating func rest() -> [Int16] {
        defer { samples = [] }
        return samples
    }
}
