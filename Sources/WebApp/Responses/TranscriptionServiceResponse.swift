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

/// Sound that is to be sent, as a person is asked about it.
struct SendingResponse: ResponseEncodable {
    let host: String
    let bytes: Int
    let seconds: Double

    init(_ sending: Sending) {
        (host, bytes, seconds) = (sending.host, sending.bytes, sending.seconds)
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
