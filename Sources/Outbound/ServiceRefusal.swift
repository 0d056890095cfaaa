import EchoText
import Foundation
import NIOHTTP1

/// Why a service has refused, as its answer says.
///
/// - SeeAlso: OpenAI's guide “Error codes”; FastAPI's `detail`, which local servers answer with.
struct ServiceRefusal: Sendable {
    private let answer: OutboundClient.Answer
    /// In small letters.
    private let body: String
    private let codes: Set<String>

    /// - Parameters:
    ///   - answer: One of a status other than success.
    ///   - body: Its content, as far as it was read.
    init(_ answer: OutboundClient.Answer, body: Data) {
        struct Content: Decodable {
            struct Problem: Decodable {
                let code: String?
                let type: String?
            }
            let error: Problem?
        }
        self.answer = answer
        self.body = String(decoding: body, as: UTF8.self).lowercased()
        // Any other shape has no codes.
        let problem = (try? JSONDecoder().decode(Content.self, from: body))?.error
        codes = Set([problem?.code, problem?.type].compactMap(\.self))
    }

    /// Whether it is the form of the answer that the service does not have.
    var concernsFormat: Bool {
        guard [400, 415, 422].contains(answer.status) else { return false }
        return ["response_format", "verbose_json", "timestamp_granularities"].contains { body.contains($0) }
    }

    /// - Parameter now: Against which servers say when to come back.
    /// - Returns: The error with words for a person.
    func error(now: Date) -> RemoteRecognitionError {
        let host = answer.host
        switch answer.status {
        case 402: return .quotaSpent(host: host)
        case 429 where !codes.isDisjoint(with: ["insufficient_quota", "billing_hard_limit_reached"]):
            return .quotaSpent(host: host)
        case 401, 403: return .keyRefused(host: host)
        case 404, 405: return .notThere(host: host)
        case 413: return .soundTooLarge(host: host)
        case 408: return .timedOut(host: host)
        case 429: return .tooManyRequests(host: host, wait: RetryAfter.wait(answer.headers, now: now))
        case 503 where answer.headers.contains(name: "retry-after"):
            return .tooManyRequests(host: host, wait: RetryAfter.wait(answer.headers, now: now))
        case 500...: return .serverFailed(host: host, status: answer.status)
        default: return .refused(host: host, status: answer.status)
        }
    }
}
