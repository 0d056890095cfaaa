import Foundation

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
        /// Seconds of sound are missing at that second of the recording, because the machine was too busy.
        case lost(Double, at: Double)
    }

    /// Why it ended.
    package enum End: Sendable, Hashable {
        /// The task was cancelled.
        case stopped
        /// After the longest time that was asked for.
        case longest
        /// No more sound fits into one recording.
        case full
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
        let asked = options.longest.map { Int(min($0 * Double(rate), 1e12)) } ?? .max
        let most = min(asked, max(1, kept))
        var buffer = CaptureBuffer(pieceLength: rate / options.piecesPerSecond, most: most)
        var attempts = 0
        while true {
            do {
                let sound = try await device.next()
                attempts = 0
                if let loss = Self.loss(of: device, at: options.present + buffer.total) { await report(loss) }
                buffer.append(sound)
                await report(.level(SoundLevel(of: sound), seconds: Double(buffer.total) / Double(rate)))
                // A separate task: whoever stops the recording cancels this one, which must not interrupt the storing.
                while let piece = buffer.piece() { try await Task { try await take(piece) }.value }
                if buffer.isFull { return try await Self.end(most < asked ? .full : .longest, &buffer, take) }
            } catch is CancellationError {
                // A slow disk holds up the taking, and not the device.
                let place = options.present + buffer.total
                buffer.append(device.takePending())
                if let loss = Self.loss(of: device, at: place) { await report(loss) }
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

    /// The loss of a device before the sound that was taken last, which begins at `sample` of the recording.
    private static func loss(of device: any CaptureDevice, at sample: Int) -> Event? {
        let lost = device.takeLost()
        return lost > 0 ? .lost(lost, at: Double(sample) / Double(device.sampleRate)) : nil
    }

    /// Passes on the rest, even in a cancelled task.
    private static func end(
        _ end: End,
        _ buffer: inout CaptureBuffer,
        _ take: @escaping @Sendable ([Int16]) async throws -> Void
    ) async throws -> End {
        while let piece = buffer.piece() { try await Task { try await take(piece) }.value }
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

/// An open microphone: mono, 16 bits.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - pieces come in order, none of them empty;
/// - a cancelled ``next()`` throws `CancellationError` at once, and loses nothing: the next call returns the sound
///   since then;
/// - after ``close()`` no piece follows.
package protocol CaptureDevice: Sendable {
    /// The name that the person knows it by.
    var name: String { get }
    /// In hertz.
    var sampleRate: Int { get }

    /// Waits for sound, and returns it soon after it was made.
    ///
    /// - Throws: ``CaptureError/deviceGone``, `CancellationError`.
    func next() async throws -> [Int16]

    /// Returns what has been captured and not been taken yet, without waiting.
    func takePending() -> [Int16]

    /// Returns how many seconds of sound before the last taken were lost since the last call, because they were taken too late.
    func takeLost() -> Double

    /// Ends it; safe to call more than once.
    func close()
}

extension CaptureDevice {
    /// None, for a device that loses nothing or cannot know.
    package func takeLost() -> Double { 0 }
}

/// The microphones of this machine.
package protocol CaptureDevices: Sendable {
    /// The available microphones, the default one first.
    func all() async -> [CaptureDeviceListing]

    /// Opens a microphone.
    ///
    /// - Parameters:
    ///   - id: An id from a listing; `nil` for the default microphone.
    ///   - rates: In hertz, in order of preference; if the device supports none of them, its own rate is resampled to
    ///     the first.
    /// - Returns: The open microphone, which records from now on.
    /// - Throws: ``CaptureError``.
    func open(_ id: String?, rates: [Int]) async throws -> any CaptureDevice
}

/// A microphone that can be chosen.
package struct CaptureDeviceListing: Sendable, Hashable, Codable {
    package let id: String
    package let name: String

    package init(id: String, name: String) {
        (self.id, self.name) = (id, name)
    }
}

/// Why a microphone cannot be recorded.
package enum CaptureError: UserFacingError, Equatable {
    case noMicrophone
    case deviceNotFound(String)
    /// It was unplugged, or its server has ended.
    case deviceGone

    package var failure: Failure {
        switch self {
        case .noMicrophone:
            Failure(
                .unavailable,
                "capture.no-microphone",
                "No microphone can be heard: no sound server answers and there is no sound card."
            )
            .suggesting("Connect a microphone, or start PulseAudio or PipeWire.")
        case .deviceNotFound(let name):
            Failure(.unavailable, "capture.device-not-found", "The microphone “\(name)” cannot be opened.")
                .suggesting("“echotext record --devices” lists those there are.")
        case .deviceGone:
            Failure(.inputOutput, "capture.device-gone", "The microphone is gone.")
                .suggesting("Connect it again, or choose another one.")
        }
    }
}

/// How loud a stretch of sound is.
package struct SoundLevel: Sendable, Hashable {
    /// The quietest level that is reported, in dBFS.
    package static let floor = -90.0

    /// The loudest sample, in dBFS.
    package let peak: Double
    /// The root mean square, in dBFS of a full-scale square wave.
    package let average: Double
    /// Whether samples are at full scale, where sound is clipped.
    package let isClipped: Bool

    package init(of samples: some Collection<Int16>) {
        var (loudest, power) = (0, 0.0)
        for sample in samples {
            loudest = max(loudest, abs(Int(sample)))
            power += Double(sample) * Double(sample)
        }
        let fullScale = Double(Float.fullScale)
        peak = Self.decibels(Double(loudest) / fullScale)
        average = samples.isEmpty ? Self.floor : Self.decibels((power / Double(samples.count)).squareRoot() / fullScale)
        isClipped = loudest >= Int(Int16.max)
    }

    private static func decibels(_ amplitude: Double) -> Double {
        amplitude > 0 ? max(floor, 20 * log10(amplitude)) : floor
    }
}
