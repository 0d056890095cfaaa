import ArgumentParser
import EchoText
import Foundation

/// The option of commands that send audio to a service.
struct SendingOption: ParsableArguments {
    @Flag(help: "Send the sound without asking.")
    var yes = false

    /// Asks at the terminal before `sending`.
    ///
    /// - Returns: The permission to send it.
    /// - Throws: ``CommandError/notConfirmed`` where there is no terminal, or when the person refuses.
    func permit(for sending: Sending) async throws -> SendingPermission {
        guard !yes else { return SendingPermission(confirmed: sending) }
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError.notConfirmed }
        let answer = try await TerminalInput.line(asking: "\(Answer.harmless(sending.question)) [y/N] ")
        guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.notConfirmed }
        return SendingPermission(confirmed: sending)
    }
}

extension Sending {
    /// What a person is asked: “Send 1.9 MB (1:00 of sound) to …?”.
    var question: String {
        let words = sendsWords ? ", with the hints about its words," : ""
        let way = isReadable ? ", not encrypted" : ""
        return "Send \(Answer.size(bytes)) (\(Answer.time(seconds)) of sound)\(words) to “\(host)”\(way)?"
    }
}
