internal import CProcess
internal import EchoText
internal import Foundation

/// The worker's side of a ``OneShotWorker``: answers the program's only request, and ends.
struct OneShotServer: Sendable {
    /// The kinds that the program may send.
    let accepted: Set<Frame.Kind>
    /// Limits the processor time; `nil` for no limit.
    let confinement: WorkerConfinement?

    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    ///
    /// - Parameters:
    ///   - input: Receives the request.
    ///   - output: Receives the answer.
    ///   - refusal: Sent when `answer` throws an error of another type.
    ///   - answer: Handles the request, with the frames that follow it and the output.
    func run<Request: Decodable, Refusal: Error & Encodable>(
        input: Int32,
        output: Int32,
        refusing refusal: Refusal,
        answer: (Request, _ rest: FollowingFrames, _ output: FrameOutput) async throws -> Void
    ) async {
        guard let input = FrameInput.takeOver(input, accepting: accepted), let output = FrameOutput.takeOver(output)
        else { return }
        confinement?.allow(requests: 1)
        let frames = FollowingFrames(input)
        // A program that has ended or violates the protocol gets no answer.
        if let ask = try? frames.next(), ask.kind == .ask,
            let request = try? JSONDecoder().decode(Request.self, from: Data(ask.payload))
        {
            do {
                try await answer(request, frames, output)
                output.send(Frame(.done, request: 1).encoded)
            } catch {
                output.send(failure: error as? Refusal ?? refusal)
            }
        }
        await output.finish()
    }
}

/// The frames that follow the request.
final class FollowingFrames {
    private var input: FrameInput

    init(_ input: consuming FrameInput) {
        self.input = input
    }

    /// - Returns: `nil` when the program has closed the pipe.
    /// - Throws: ``WorkerError`` when the program violates the protocol.
    func next() throws(WorkerError) -> Frame? { try input.next() }
}
