import EchoText
import Outbound

/// A clock that does not wait before a retry: only what is as short as a test's patience with a server is waited for.
struct HastyClock: Clock {
    private let real = ContinuousClock()

    /// How long a server may say nothing.
    static let silence = Duration.milliseconds(200)

    var now: ContinuousClock.Instant { real.now }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if now.duration(to: deadline) <= Self.silence {
            try await real.sleep(until: deadline, tolerance: tolerance)
        } else {
            try Task.checkCancellation()
        }
    }
}

extension OutboundArchives.Surroundings {
    static var hasty: Self {
        var surroundings = Self()
        surroundings.clock = HastyClock()
        surroundings.silence = HastyClock.silence
        surroundings.chance = { 1 }
        return surroundings
    }

    /// As in earnest, for servers that do nothing wrong but wait.
    static var patient: Self {
        var surroundings = Self()
        surroundings.chance = { 1 }
        return surroundings
    }
}

extension OutboundDoor {
    /// A door to `address`, as text of the setting.
    init(to address: String, isOffline: Bool = false, environment: [String: String] = [:]) throws {
        let rules = OutboundRules(isOffline: isOffline, catalogue: try CatalogueAddress(address))
        self.init(environment: environment) { rules }
    }
}
