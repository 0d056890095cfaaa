import EchoText
import EchoTextTesting
import Outbound

/// A clock that does not wait before a retry, or only a little where a server is silent at first and answers later.
struct HastyClock: Clock {
    private let real = ContinuousClock()
    /// Waits of at most this are real, as are very long ones.
    private let longestReal: Duration

    /// How long a server may say nothing that does so on purpose.
    static let shortTimeout = Duration.milliseconds(400)
    /// The same for one that answers the next try, which may take it a while on a busy machine.
    static let middleTimeout = Duration.seconds(3)
    /// The same for one that does not, however busy the machine is.
    static let longTimeout = Duration.seconds(120)

    static func idleTimeout(of scenario: String) -> Duration {
        guard scenario.contains("stall") || scenario.contains("silent") else { return longTimeout }
        return scenario.contains("times") ? middleTimeout : shortTimeout
    }

    init(for scenario: String = "") {
        let timeout = Self.idleTimeout(of: scenario)
        longestReal = timeout == Self.longTimeout ? Self.shortTimeout : timeout
    }

    var now: ContinuousClock.Instant { real.now }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let length = now.duration(to: deadline)
        if length <= longestReal || length > Self.longTimeout / 2 {
            try await real.sleep(until: deadline, tolerance: tolerance)
        } else {
            try Task.checkCancellation()
        }
    }
}

extension OutboundArchives.Environment {
    /// Retries follow at once, and a server that is to fall silent in `scenario` is not waited for as long as others.
    static func hasty(for scenario: String = "") -> Self {
        var environment = Self()
        environment.clock = HastyClock(for: scenario)
        environment.idleTimeout = HastyClock.idleTimeout(of: scenario)
        environment.chance = { 1 }
        return environment
    }
}

extension OutboundClient {
    /// A client to `address`, as text of the setting.
    init(
        to address: String = "",
        isOffline: Bool = false,
        environment: [String: String] = [:],
        ledger: any OutboundLedger = MemoryOutbound()
    ) throws {
        let rules = OutboundRules(isOffline: isOffline, catalogue: try CatalogueAddress(address))
        self.init(environment: environment, ledger: ledger) { rules }
    }
}
