import API
import ArgumentParser
import EchoText
import Foundation
import Outbound

/// `echotext outbound`: connections to other machines.
struct OutboundCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbound",
        abstract: "Show the connections that EchoText has made.",
        subcommands: [OutboundLog.self],
        defaultSubcommand: OutboundLog.self
    )
}

/// `echotext outbound log`.
struct OutboundLog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List every connection that was made, newest first.",
        discussion: """
            Each is entered before it is made, with its server, its purpose and how much of your own sound it sent. While the library \
            is locked only those are listed that it has not taken over yet.
            """
    )

    @Option(help: ArgumentHelp("How many to list at most.", valueName: "n"))
    var limit = 1_000

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit takes 1 and more.") }
    }

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling {
                let notes = Settings.ofThisProcess.outboundNotes
                let limit = limit
                let records = try await OptionalLibrary.use { library in
                    try await CombinedLedger(aside: notes) { library.outbound }.records(limit: limit)
                }
                if let records { return try show(records) }
                EchoTextCommand.say("the library is not open: these are the connections that it has not taken over yet")
                try show(try await notes.records(limit: limit))
            }
        }
    }

    private func show(_ records: [OutboundRecord]) throws {
        if answer.json { return try Answer.json(records.map(OutboundRecordResponse.init)) }
        try Answer.table(
            ["TIME", "FOR", "SOUND SENT", "RECEIVED", "OUTCOME", "SERVER"],
            records.map { record in
                let sound = record.seconds.map { "\(Answer.size(record.bytesSent)) (\(Answer.time($0)))" } ?? ""
                return [
                    Answer.date(record.time), record.purpose.rawValue, sound, Answer.size(record.bytesReceived),
                    record.outcome.rawValue, record.host,
                ]
            }
        )
    }
}

extension OutboundClient {
    /// A client for one command on an open library, which lists its connections.
    ///
    /// - Parameters:
    ///   - library: Has the rules, which another program may change meanwhile.
    ///   - isOffline: Whether nothing is connected to, whatever the library says.
    /// - Returns: A client without a connection.
    static func listing(in library: Library, isOffline: Bool) -> OutboundClient {
        let settings = Settings.ofThisProcess
        let ledger = CombinedLedger(aside: settings.outboundNotes) { library.outbound }
        return OutboundClient(environment: ProcessInfo.processInfo.environment, ledger: ledger) {
            try await library.settings.outboundRules().overridden(by: settings, isOffline: isOffline)
        }
    }
}
