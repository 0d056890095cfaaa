/// Takes sound from a microphone until it is stopped, and continues with another one when it is gone.
package struct SoundCapture: Sendable {
    package struct Options: Sendable, Hashable {
        /// The microphone's id; the usual one when absent.
        package var device: String?
        /// In hertz; the best of ``SoundCapture/rates`` when absent.
        package var sampleRate: Int?
        /// The longest recording, in seconds; in any case what one recording of the library holds.
        package var longest: Double?
        /// Samples that the recording has already.
        package var present = 0
        /// In how many pieces a second of sound is handed on; so little is lost when the program is killed.
        package var piecesPerSecond = 2

        package init(device: String? = nil, sampleRate: Int? = nil, longest: Double? = nil) {
            (self.device, self.sampleRate, self.longest) = (device, sampleRate, longest)
        }
    }

    package enum Event: Sendable, Hashable {
        /// After `seconds` of sound.
        case level(SoundLevel, seconds: Double)
        /// The microphone is gone, and this one continues.
        case continued(on: String)
    }

    /// Why it ended.
    package enum End: Sendable, Hashable {
        /// The task was cancelled.
        case stopped
        case longest
        /// The microphone is gone, and there is no other.
        case deviceGone
    }

    /// Sample rates in order of preference, in hertz.
    package static let rates = [48_000, 44_100, 16_000]
    /// Times that another microphone may be tried before one gives sound.
    private static let maximumAttempts = 3

    private let devices: any CaptureDevices

    package init(from devices: any CaptureDevices) {
        self.devices = devices
    }

    /// Captures sound until the task is cancelled, or the longest time is over.
    ///
    /// - Parameters:
    ///   - options: What the person chose.
    ///   - begin: Called once with the microphone that is open.
    ///   - report: Receives what happens.
    ///   - take: Receives the sound in pieces as long as `options` say, the last one also in a task that was cancelled.
    /// - Returns: Why it ended; everything was taken then.
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
        // Beyond the second no recording is kept.
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
                // In a task of its own: whoever stops the recording cancels this one, and what is stored must not break off.
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

    /// Hands on what is left, also in a task that was cancelled.
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

    /// A whole piece, if there is one.
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
