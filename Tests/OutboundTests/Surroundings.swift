import EchoText
import EchoTextTesting
import Outbound

/// A clock that does not wait before a retry, whose waits lie between the two time-outs.
struct HastyClock: Clock {
    private let real = ContinuousClock()

    /// How long a server may say nothing that does so on purpose.
    static let shortTimeout = Duration.milliseconds(400)
    /// The same for one that does not, however busy the machine is.
    static let longTimeout = Duration.seconds(120)

    static func idleTimeout(of scenario: String) -> Duration {
        scenario.contains("stall") || scenario.contains("silent") ? shortTimeout : longTimeout
    }

    var now: ContinuousClock.Instant { real.now }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let length = now.duration(to: deadline)
        if length <= Self.shortTimeout || length > Self.longTimeout / 2 {
            try await real.sleep(until: deadline, tolerance: tolerance)
        } else {
            try Task.checkCancellation()
        }
    }
}

extension OutboundArchives.Surroundings {
    /// Retries follow at once, and a server that is to fall silent in `scenario` is not waited for as long as others.
    static func hasty(for scenario: String = "") -> Self {
        var surroundings = Self()
        surroundings.clock = HastyClock()
        surroundings.idleTimeout = HastyClock.idleTimeout(of: scenario)
        surroundings.chance = { 1 }
        return surroundings
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
