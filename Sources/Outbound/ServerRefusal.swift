import EchoText
import Foundation
import NIOHTTP1

extension VoiceDownloadError {
    /// Why a server that has answered with `status` gave nothing.
    ///
    /// - Parameters:
    ///   - answer: Neither 200 nor 206.
    ///   - what: What was asked for, without its place.
    ///   - now: The time of day, against which servers say when to come back.
    init(_ answer: OutboundClient.Answer, to what: String, now: Date) {
        let wait = RetryAfter.wait(answer.headers, now: now)
        let isSpent = answer.headers.first(name: "x-ratelimit-remaining") == "0"
        switch answer.status {
        case 404, 410: self = .notThere(what)
        case 429: self = .tooManyRequests(host: answer.host, wait: wait)
        case 403 where isSpent || answer.headers.contains(name: "retry-after"):
            self = .tooManyRequests(host: answer.host, wait: wait)
        case 500...: self = .serverFailed(host: answer.host, status: answer.status)
        default: self = .refused(host: answer.host, status: answer.status)
        }
    }
}

/// How long servers want to be left alone.
enum RetryAfter {
    /// What the fields of an answer say; `nil` where they say nothing.
    ///
    /// - SeeAlso: RFC 9110, section 10.2.3, `Retry-After`; GitHub's “Rate limits for the REST API”, `x-ratelimit-reset`.
    static func wait(_ headers: HTTPHeaders, now: Date) -> Duration? {
        let longest = 7 * 86_400.0
        if let text = headers.first(name: "retry-after") {
            if let seconds = Double(text), (0...longest).contains(seconds) { return .seconds(seconds) }
            if let date = HTTPDate.date(text) { return .seconds(min(longest, max(0, date.timeIntervalSince(now)))) }
        }
        if let text = headers.first(name: "x-ratelimit-reset"), let time = Double(text), time.isFinite {
            return .seconds(min(longest, max(0, time - now.timeIntervalSince1970)))
        }
        return nil
    }
}

/// Times of day as HTTP writes them.
enum HTTPDate {
    /// - SeeAlso: RFC 9110, section 5.6.7, `IMF-fixdate`.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
