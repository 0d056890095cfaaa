import API
import EchoText
import Foundation
import Hummingbird

/// A service without its key, which leaves the library only to the service itself.
struct TranscriptionServiceResponse: ResponseEncodable {
    let name: String
    let address: String
    let host: String
    let allowsPlain: Bool
    let isOnThisMachine: Bool
    let model: String
    @Nullable var language: String?
    @Nullable var prompt: String?
    let hasKey: Bool
    /// What a test of the service sends.
    let trial: SendingResponse

    init(_ service: TranscriptionService) {
        (name, model) = (service.name.text, service.model)
        (address, host) = (service.address.text, service.address.host)
        (allowsPlain, isOnThisMachine) = (service.address.allowsPlain, service.address.isOnThisMachine)
        (language, prompt) = (service.language, service.prompt)
        hasKey = service.key != nil
        trial = SendingResponse(ServiceTrial.sending(to: service))
    }
}

struct TranscriptionServicesResponse: ResponseEncodable {
    let services: [TranscriptionServiceResponse]
}

/// Sound that is to be sent, as a person is asked about it and repeats it in the answer.
struct SendingResponse: ResponseEncodable, Decodable {
    let host: String
    let path: String
    let isEncrypted: Bool
    /// Whether others can read it on its way to another machine.
    let isReadable: Bool
    let sendsWords: Bool
    let bytes: Int
    let seconds: Double

    init(_ sending: Sending) {
        (host, path, isEncrypted) = (sending.host, sending.path, sending.isEncrypted)
        (isReadable, sendsWords) = (sending.isReadable, sending.sendsWords)
        (bytes, seconds) = (sending.bytes, sending.seconds)
    }

    var sending: Sending {
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
struct OutboundRecordResponse: ResponseEncodable {
    let time: Date
    let purpose: OutboundRecord.Purpose
    let host: String
    let bytesSent: Int
    @Nullable var seconds: Double?
    let bytesReceived: Int
    let outcome: OutboundRecord.Outcome

    init(_ record: OutboundRecord) {
        (time, purpose, host, outcome) = (record.time, record.purpose, record.host, record.outcome)
        (bytesSent, seconds, bytesReceived) = (record.bytesSent, record.seconds, record.bytesReceived)
    }
}
