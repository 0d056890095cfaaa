package import EchoText

/// What the program asks of an engine worker.
package enum EngineCommand: Sendable, Hashable {
    /// Load a voice that answers `lanes` requests at once.
    case open(VoiceFolder, lanes: Int)
    case speak(PhonemeRequest)
    /// Give up the request the frame names.
    case cancel
    /// End, with nothing more to do.
    case shutdown

    /// Most requests a voice may be opened to answer at once.
    static let mostLanes = 1_024

    package func frame(request: UInt32) -> Frame {
        switch self {
        case .open(let folder, let lanes):
            var payload = PayloadWriter()
            payload.write(UInt32(lanes))
            payload.write(folder.path)
            payload.write(folder.name)
            return Frame(.open, request: request, payload: payload.bytes)
        case .speak(let wanted):
            var payload = PayloadWriter()
            payload.write(Int64(wanted.speaker))
            payload.write(wanted.speed)
            for phoneme in wanted.phonemes { payload.write(phoneme.value) }
            return Frame(.speak, request: request, payload: payload.bytes)
        case .cancel: return Frame(.cancel, request: request)
        case .shutdown: return Frame(.shutdown, request: request)
        }
    }

    /// - Throws: ``WorkerError/protocolViolation``.
    package init(_ frame: Frame) throws(WorkerError) {
        var payload = PayloadReader(frame.payload)
        switch frame.kind {
        case .open:
            let lanes = Int(try payload.number())
            guard (1...Self.mostLanes).contains(lanes) else { throw .protocolViolation }
            let path = try payload.string()
            self = .open(VoiceFolder(path: path, name: try payload.string()), lanes: lanes)
        case .speak:
            let speaker = Int(try payload.signedNumber())
            let speed = try payload.fraction()
            // Speaker, speed and nothing but whole symbols.
            let count = (frame.payload.count - 16) / 4
            guard count <= PhonemeRequest.longest else { throw .protocolViolation }
            var phonemes: [Unicode.Scalar] = []
            for _ in 0..<count {
                guard let phoneme = Unicode.Scalar(try payload.number()) else { throw .protocolViolation }
                phonemes.append(phoneme)
            }
            self = .speak(PhonemeRequest(phonemes: phonemes, speaker: speaker, speed: speed))
        case .cancel: self = .cancel
        case .shutdown: self = .shutdown
        case .opened, .audio, .done, .failed, .alive, .ask, .piece, .page, .text, .structure, .picture, .entry,
            .content:
            throw .protocolViolation
        }
        try payload.finish()
    }
}

/// What an engine worker answers.
package enum EngineReply: Sendable {
    case opened(OpenedVoice)
    /// A stretch of the request's sound; stretches follow one another.
    case audio([Float])
    /// The request's sound is complete.
    case done
    case failed(EngineFailure)
    /// The engine has begun with the request, or got on with it.
    case alive

    /// Most samples of one frame; longer sound is sent in several.
    static let longestAudio = 1 << 16

    package func frame(request: UInt32) -> Frame {
        switch self {
        case .opened(let voice):
            var payload = PayloadWriter()
            payload.write(UInt32(voice.sampleRate))
            payload.write(UInt32(voice.speakers))
            return Frame(.opened, request: request, payload: payload.bytes)
        case .audio(let samples):
            return Frame(.audio, request: request, payload: samples.withUnsafeBytes { Array($0) })
        case .done: return Frame(.done, request: request)
        case .failed(let failure): return Frame(.failed, request: request, payload: failure.payload)
        case .alive: return Frame(.alive, request: request)
        }
    }

    /// - Throws: ``WorkerError/protocolViolation``.
    package init(_ frame: Frame) throws(WorkerError) {
        var payload = PayloadReader(frame.payload)
        switch frame.kind {
        case .opened:
            self = .opened(
                try OpenedVoice(sampleRate: Int(try payload.number()), speakers: Int(try payload.number()))
            )
            try payload.finish()
        case .audio:
            guard frame.payload.count.isMultiple(of: MemoryLayout<Float>.stride) else { throw .protocolViolation }
            self = .audio(frame.samples)
        case .done: self = .done
        case .failed: self = .failed(try EngineFailure(payload: frame.payload))
        case .alive: self = .alive
        case .open, .speak, .cancel, .shutdown, .ask, .piece, .page, .text, .structure, .picture, .entry,
            .content:
            throw .protocolViolation
        }
    }
}

/// What a worker says of the voice it has loaded.
package struct OpenedVoice: Sendable, Hashable {
    /// Samples per second, in hertz, 1 to 768,000.
    package let sampleRate: Int
    /// 1 to 1,000,000.
    package let speakers: Int

    /// - Throws: ``WorkerError/protocolViolation`` for numbers no voice has.
    package init(sampleRate: Int, speakers: Int) throws(WorkerError) {
        guard (1...768_000).contains(sampleRate), (1...1_000_000).contains(speakers) else { throw .protocolViolation }
        self.sampleRate = sampleRate
        self.speakers = speakers
    }
}

extension Frame {
    /// The payload as samples; both sides run on one machine, whose own order of bytes is little-endian.
    fileprivate var samples: [Float] {
        [Float](unsafeUninitializedCapacity: payload.count / MemoryLayout<Float>.stride) { samples, count in
            payload.withUnsafeBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            count = payload.count / MemoryLayout<Float>.stride
        }
    }
}
