package import EchoText
package import Foundation

/// A service without its key, which leaves the library only to the service itself.
package struct TranscriptionServiceResponse: Encodable, Sendable {
    package let name: String
    package let address: String
    package let host: String
    /// Whether sound may be sent to another machine over http.
    package let allowsPlain: Bool
    package let isOnThisMachine: Bool
    package let model: String
    /// BCP 47.
    @Nullable package var language: String?
    @Nullable package var prompt: String?
    package let hasKey: Bool
    /// The sound that a test of the service sends.
    package let trial: SendingResponse

    package init(_ service: TranscriptionService) {
        (name, model) = (service.name.text, service.model)
        (address, host) = (service.address.text, service.address.host)
        (allowsPlain, isOnThisMachine) = (service.address.allowsPlain, service.address.isOnThisMachine)
        (language, prompt) = (service.language, service.prompt)
        hasKey = service.key != nil
        trial = SendingResponse(ServiceTrial.sending(to: service))
    }
}

/// The result of a test of a service.
package struct ServiceTrialResponse: Encodable, Sendable {
    /// The text that it recognized, which may be empty.
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

/// Sound that is to be sent, as a person is asked about it and repeats it in the answer.
package struct SendingResponse: Codable, Sendable {
    /// The server, with the port where it is not the usual one.
    package let host: String
    /// Which part of the server is asked.
    package let path: String
    package let isEncrypted: Bool
    /// Whether others can read it on its way to another machine.
    package let isReadable: Bool
    /// Whether hotwords or a prompt go along.
    package let sendsWords: Bool
    package let bytes: Int
    package let seconds: Double

    package init(_ sending: Sending) {
        (host, path, isEncrypted) = (sending.host, sending.path, sending.isEncrypted)
        (isReadable, sendsWords) = (sending.isReadable, sending.sendsWords)
        (bytes, seconds) = (sending.bytes, sending.seconds)
    }

    package var sending: Sending {
        Sending(
            host: host,
            path: path,
            isEncrypted: isEncrypted,
            sendsWords: sendsWords,
            bytes: bytes,
            seconds: seconds
        )
    }
}

/// A connection to another machine.
package struct OutboundRecordResponse: Encodable, Sendable {
    package let time: Date
    package let purpose: OutboundRecord.Purpose
    package let host: String
    /// The bytes of a person's own sound.
    package let bytesSent: Int
    /// The length of the sound that was sent.
    @Nullable package var seconds: Double?
    package let bytesReceived: Int
    package let outcome: OutboundRecord.Outcome

    package init(_ record: OutboundRecord) {
        (time, purpose, host, outcome) = (record.time, record.purpose, record.host, record.outcome)
        (bytesSent, seconds, bytesReceived) = (record.bytesSent, record.seconds, record.bytesReceived)
    }
}
