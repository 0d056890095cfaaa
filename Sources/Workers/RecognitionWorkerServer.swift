package import EchoText
internal import Foundation
internal import Synchronization

/// The worker's side: recognizes or analyzes clips with one recognizer or detector, or diarizes a whole sound.
package struct RecognitionWorkerServer: Sendable {
    /// Makes a detector from the model at a path.
    package typealias DetectorMaker = @Sendable (_ model: String) -> any VoiceActivityDetector

    private let loader: any RecognizerLoader
    private let detector: DetectorMaker
    private let speakers: any SpeakerModelLoader
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - loader: Opens the recognizer that the program may request.
    ///   - detector: Makes the detector that the program may request instead.
    ///   - speakers: Opens the diarization models that the program may request instead.
    ///   - confinement: Limits the processor time of each clip; `nil` for no limit.
    package init(
        loader: any RecognizerLoader,
        detector: @escaping DetectorMaker,
        speakers: any SpeakerModelLoader,
        confinement: WorkerConfinement? = nil
    ) {
        (self.loader, self.detector, self.speakers) = (loader, detector, speakers)
        self.confinement = confinement
    }

    /// Answers the program until it closes the pipe or violates the protocol.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        guard let input = FrameInput.takeOver(input, accepting: Frame.Kind.toRecognition),
            let output = FrameOutput.takeOver(output)
        else { return }
        confinement?.allow(requests: 1)
        let source = Mutex<FrameInput?>(input)
        let (frames, continuation) = AsyncStream.makeStream(of: Frame.self)
        // A separate thread, since reading blocks.
        let thread = Thread {
            if let input = source.withLock({ $0.take() }) { Self.read(input, into: continuation) }
            continuation.finish()
        }
        thread.name = "echotext clips"
        thread.start()
        guard let ask = await frames.first(where: { _ in true }), ask.kind == .ask,
            let request = try? JSONDecoder().decode(RecognitionRequest.self, from: Data(ask.payload))
        else { return }
        do {
            try await answer(request, frames, output)
        } catch {
            // A program that has ended or violates the protocol gets no answer.
            guard !(error is WorkerError) else { return }
            output.send(failure: RecognitionError(sending: error))
        }
        await output.finish()
    }

    private static func read(
        _ input: consuming FrameInput,
        into continuation: AsyncStream<Frame>.Continuation
    ) {
        do {
            while let frame = try input.next() { continuation.yield(frame) }
        } catch {
            return
        }
    }

    private func answer(
        _ request: RecognitionRequest,
        _ frames: AsyncStream<Frame>,
        _ output: FrameOutput
    ) async throws {
        switch request {
        case .recognizer(let model, let settings, let lanes):
            guard (1...RecognitionRequest.maximumLanes).contains(lanes) else { throw WorkerError.protocolViolation }
            let session = try await loader.open(model, settings, lanes: lanes)
            output.send(Frame(.opened, request: 0).encoded)
            try await recognize(frames, with: session, output)
        case .trial(let model):
            try await loader.check(model)
            let session = try await loader.open(model, RecognitionSettings(), lanes: 1)
            output.send(Frame(.opened, request: 0).encoded)
            try await recognize(frames, with: session, output)
        case .detector(let model):
            let session = try await detector(model).open()
            output.send(Frame(.opened, request: 0).encoded)
            try await detect(frames, with: session, output)
        case .speakers(let models, let count, let seconds, let threads):
            guard (1...RecognitionRequest.maximumLanes).contains(threads), seconds >= 0,
                seconds <= SpeakerDiarization.longest
            else { throw WorkerError.protocolViolation }
            let session = try await speakers.open(models, count, threads: threads)
            output.send(Frame(.opened, request: 0).encoded)
            try await separate(frames, seconds: seconds, with: session, output)
        }
    }

    /// Recognizes clips, as many at once as the session does; results are sent as they become ready.
    private func recognize(
        _ frames: AsyncStream<Frame>,
        with session: any RecognitionSession,
        _ output: FrameOutput
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for await frame in frames {
                let clip = AudioClip(samples: try frame.clipSamples(), sampleRate: RecognitionClip.sampleRate)
                confinement?.allow(requests: RecognitionRequest.maximumLanes)
                group.addTask {
                    do {
                        let speech = try await session.recognize(clip)
                        output.send(try Frame.recognized(speech, request: frame.request))
                    } catch {
                        output.send(failure: RecognitionError(sending: error))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func detect(
        _ frames: AsyncStream<Frame>,
        with session: any VoiceActivitySession,
        _ output: FrameOutput
    ) async throws {
        for await frame in frames {
            let windows = AudioClip(samples: try frame.clipSamples(), sampleRate: RecognitionClip.sampleRate)
            confinement?.allow(requests: 1)
            output.send(Frame.activity(try await session.detect(windows), request: frame.request))
        }
    }

    /// Collects a sound up to its end, and tells its speakers apart.
    private func separate(
        _ frames: AsyncStream<Frame>,
        seconds: Double,
        with session: any DiarizationSession,
        _ output: FrameOutput
    ) async throws {
        let most = Int(((seconds + 1) * Double(RecognitionClip.sampleRate)).rounded(.up))
        var sound: [Float] = []
        sound.reserveCapacity(most)
        for await frame in frames {
            let samples = try frame.clipSamples()
            guard samples.isEmpty else {
                sound += samples
                guard sound.count <= most else { throw WorkerError.protocolViolation }
                output.send(Frame(.taken, request: frame.request).encoded)
                continue
            }
            // Ten minutes of processor time per minute of sound or part of one, so that only endless loops are ended.
            confinement?.allow(requests: 1 + sound.count / (60 * RecognitionClip.sampleRate))
            let turns = try await session.turns(in: sound) { share in
                output.send(Frame.reached(share, request: frame.request))
            }
            output.send(try Frame.turns(turns, request: frame.request))
            sound.removeAll(keepingCapacity: true)
        }
    }
}
