import Foundation

/// How long recognisers have needed on a machine, and what follows from it for others.
package struct RecognizerPaces: Sendable, Hashable, Codable {
    /// What a recogniser has heard.
    private struct Record: Sendable, Hashable, Codable {
        /// The length of the sound, in seconds.
        var heard: Double
        /// How long that took, in seconds.
        var took: Double

        /// Seconds for a second of sound; `nil` where the numbers make no sense.
        var pace: Double? {
            let pace = took / heard
            return heard > 0 && pace > 0 && pace < RecognizerPaces.slowest ? pace : nil
        }
    }

    /// The time that a recogniser is expected to need.
    package struct Expectation: Sendable, Hashable {
        /// Seconds for a second of sound.
        package let pace: Double
        /// Whether it was measured with this recogniser, and does not follow from its size.
        package let isMeasured: Bool
    }

    /// The shortest sound that says something of a recogniser's speed, in seconds.
    package static let shortestSound = 10.0
    /// No recogniser needs as many seconds for a second of sound.
    private static let slowest = 100_000.0
    /// What was heard before the last hour of sound counts for half, in seconds.
    private static let longestMemory = 3_600.0

    /// By the recognisers' ids.
    private var records: [String: Record] = [:]

    package init() {}

    /// Notes that a recogniser has heard sound; of too short a sound nothing is noted.
    ///
    /// - Parameters:
    ///   - recognizer: Its id.
    ///   - heard: The length of the sound, in seconds.
    ///   - took: How long that took, in seconds.
    package mutating func note(_ recognizer: Recognizer.ID, heard: Double, took: Double) {
        guard heard >= Self.shortestSound, took > 0 else { return }
        var record = records[recognizer.rawValue] ?? Record(heard: 0, took: 0)
        if record.heard > Self.longestMemory {
            (record.heard, record.took) = (record.heard / 2, record.took / 2)
        }
        record.heard += heard
        record.took += took
        records[recognizer.rawValue] = record
    }

    /// The time that a recogniser is expected to need on this machine.
    ///
    /// Where it has heard nothing here yet, the expectation of its size is corrected by what others have needed.
    ///
    /// - Parameters:
    ///   - recognizer: Its id, also that of one that is not installed.
    ///   - cores: How many cores the machine has.
    /// - Returns: `nil` where nothing is known, as of a service.
    package func expectation(
        of recognizer: Recognizer.ID,
        cores: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Expectation? {
        if let pace = records[recognizer.rawValue]?.pace { return Expectation(pace: pace, isMeasured: true) }
        guard let estimate = Self.estimate(of: recognizer, cores) else { return nil }
        return Expectation(pace: estimate * slowness(cores), isMeasured: false)
    }

    /// How many times the expected time recognisers have needed here, in the middle; 1 where none was measured.
    private func slowness(_ cores: Int) -> Double {
        let ratios = records.compactMap { id, record -> Double? in
            guard let pace = record.pace, let estimate = Self.estimate(of: Recognizer.ID(rawValue: id), cores) else {
                return nil
            }
            return pace / estimate
        }
        return ratios.isEmpty ? 1 : ratios.sorted()[ratios.count / 2]
    }

    private static func estimate(of recognizer: Recognizer.ID, _ cores: Int) -> Double? {
        RecognizerTraits(ofModel: recognizer.modelName).pace(cores: cores)
    }
}

/// Stores how long recognisers have needed: the port to a file of this machine, as a library can move to another.
package protocol RecognizerPaceStore: Sendable {
    /// What is stored; nothing if that cannot be read.
    func paces() async -> RecognizerPaces

    /// Stores that a recogniser has heard sound; one that cannot be stored is left out.
    ///
    /// - Parameters:
    ///   - recognizer: Its id.
    ///   - heard: The length of the sound, in seconds.
    ///   - took: How long that took, in seconds.
    func note(_ recognizer: Recognizer.ID, heard: Double, took: Double) async
}
