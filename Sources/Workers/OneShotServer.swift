internal import CProcess
internal import EchoText
internal import Foundation

/// The worker's side of a ``OneShotWorker``: answers the one request of the program, and ends.
struct OneShotServer: Sendable {
    /// What the program may send.
    let accepted: Set<Frame.Kind>
    /// What limits the processor time; `nil` for none.
    let confinement: WorkerConfinement?

    /// Takes both descriptors over: what a library prints to standard output goes to standard error from here on.
    ///
    /// - Parameters:
    ///   - input: Where the request comes.
    ///   - output: Where the answer goes.
    ///   - refusal: What to say when `answer` throws an error of another type.
    ///   - answer: Takes the request, what follows it, and where the answer goes.
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
        // A program that ends, or says what makes no sense, wants no answer.
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

/// What the program sends, frame by frame.
final class FollowingFrames {
    private var input: FrameInput

    init(_ input: consuming FrameInput) {
        self.input = input
    }

    /// - Returns: `nil` when the program has gone.
    /// - Throws: ``WorkerError`` when it says what makes no sense.
    func next() throws(WorkerError) -> Frame? { try input.next() }
}
