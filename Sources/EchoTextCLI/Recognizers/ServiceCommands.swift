import API
import ArgumentParser
import EchoText
import Foundation
import LibraryStore
import Outbound

/// `echotext recognizers service`: remote transcription services.
struct ServiceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Set up services that transcribe on another machine.",
        discussion: """
            Any service that answers “POST /v1/audio/transcriptions” as OpenAI's does. Nothing is sent to one before you have set \
            it up, chosen it and allowed the sending; the setting transcription.consent says how often you are asked.

            Examples:
              echotext recognizers service add office --address https://speech.example.org --model whisper-1
              echotext recognizers service add cellar --address http://10.0.0.2:8000 --model small --allow-http --no-key
              echotext recognizers service try office
            """,
        subcommands: [ServiceList.self, ServiceAdd.self, ServiceTry.self, ServiceRemove.self],
        defaultSubcommand: ServiceList.self
    )
}

/// `echotext recognizers service list`.
struct ServiceList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the services.")

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let rows = try await library.services.services().map(TranscriptionServiceResponse.init)
        let unreadable = try await library.services.unreadable()
        if unreadable > 0 {
            EchoTextCommand.say("notice: services that cannot be read and are not listed: \(unreadable)")
        }
        if json { return try CommandOutput.json(rows) }
        try CommandOutput.table(
            ["NAME", "MODEL", "LANGUAGE", "KEY", "ADDRESS"],
            rows.map { [$0.name, $0.model, $0.language ?? "", $0.hasKey ? "yes" : "no", $0.address] }
        )
    }
}

/// `echotext recognizers service add`.
struct ServiceAdd: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Set up a service, or change the one of that name.",
        discussion: """
            The key is asked for, or read from a file descriptor; it is kept in the encrypted library. Of a service that is changed, \
            language and prompt stay where none is given; an empty one removes them.
            """
    )

    @Argument(help: "Its name: lowercase letters, digits and hyphens.")
    var name: String

    @Option(help: ArgumentHelp("Where it is, such as https://speech.example.org.", valueName: "address"))
    var address: String

    @Option(help: ArgumentHelp("Which model hears, as the service calls it.", valueName: "model"))
    var model: String

    @Option(help: ArgumentHelp("What is spoken when nothing else is said, such as “et”.", valueName: "language"))
    var language: String?

    @Option(help: ArgumentHelp("Text in the style and spelling that is wanted.", valueName: "text"))
    var prompt: String?

    @Flag(help: "Send sound and key to another machine even by http, where others can read them on the way.")
    var allowHttp = false

    @Flag(help: "Send no key; one that is kept is removed.")
    var noKey = false

    @Option(help: ArgumentHelp("Read the key from this file descriptor.", valueName: "n"))
    var keyFd: Int32?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        guard !noKey || keyFd == nil else { throw ValidationError("--no-key and --key-fd exclude each other.") }
    }

    func run(in library: Library) async throws {
        let address = try ServiceAddress(address, allowsPlain: allowHttp)
        let name = try ServiceName(name)
        let known = try await library.services.services().first { $0.name == name }
        var service = try TranscriptionService(
            name: name,
            address: address,
            model: model,
            language: language ?? known?.language,
            prompt: prompt ?? known?.prompt
        )
        // Errors that do not depend on the key are reported before asking for it.
        service.key = noKey ? nil : try await key()
        try await library.services.save(service)
        if json { try CommandOutput.json(TranscriptionServiceResponse(service)) }
    }

    private func key() async throws -> ServiceKey? {
        let text = try await SecretInput.text(from: keyFd, asking: "Key of the service (nothing for none): ")
        return text.isEmpty ? nil : try ServiceKey(text)
    }
}

/// `echotext recognizers service try`.
struct ServiceTry: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Send a service a second of notes, and show what it hears.",
        discussion: "The sound is made by EchoText and contains nothing about you. You are asked before it is sent."
    )

    @Argument(help: "The service's name.")
    var name: String

    @Flag(help: "Connect to nothing.")
    var offline = false

    @OptionGroup
    var consent: SendingOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let service = try await library.services.service(try ServiceName(name))
        let client = OutboundClient.listing(in: library, isOffline: offline)
        let recognized = try await client.closing {
            // Nobody is asked about what cannot happen.
            try await client.refuseOffline()
            let permit = try await consent.permit(for: ServiceTrial.sending(to: service))
            let recognizer = RemoteRecognizer(client: client) { [service] }
            return try await permit.use { try await recognizer.attempt(service) }
        }
        if json { return try CommandOutput.json(ServiceTrialResponse(text: recognized.text)) }
        EchoTextCommand.say("the service answers")
        if !recognized.text.isEmpty { try CommandOutput.text(recognized.text) }
    }
}

/// `echotext recognizers service remove`.
struct ServiceRemove: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a service and its key from the library."
    )

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let name = try ServiceName(name)
        _ = try await library.services.service(name)
        try await confirmation.confirm("Remove the service “\(name)” and its key?")
        try await library.services.delete(name)
    }
}

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
        let answer = try await TerminalInput.line(asking: "\(CommandOutput.harmless(sending.question)) [y/N] ")
        guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.notConfirmed }
        return SendingPermission(confirmed: sending)
    }
}

extension Sending {
    /// The question to the person: “Send 1.9 MB (1:00 of sound) to …?”.
    var question: String {
        let words = sendsWords ? ", with the hints about its words," : ""
        let way = isReadable ? ", not encrypted" : ""
        return "Send \(CommandOutput.size(bytes)) (\(CommandOutput.time(seconds)) of sound)\(words) to “\(host)”\(way)?"
    }
}

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
        if answer.json { return try CommandOutput.json(records.map(OutboundRecordResponse.init)) }
        try CommandOutput.table(
            ["TIME", "FOR", "SOUND SENT", "RECEIVED", "OUTCOME", "SERVER"],
            records.map { record in
                let sound =
                    record.seconds.map { "\(CommandOutput.size(record.bytesSent)) (\(CommandOutput.time($0)))" } ?? ""
                return [
                    CommandOutput.date(record.time), record.purpose.rawValue, sound,
                    CommandOutput.size(record.bytesReceived),
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
