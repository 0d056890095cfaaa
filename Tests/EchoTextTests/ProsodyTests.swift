import EchoText
import Testing

@Suite("Prosody")
struct ProsodyTests {
    @Test("takes every speed and pitch in its ranges", arguments: [(0.5, 0.5), (1, 1), (1.5, 2)])
    func inside(_ speed: Double, _ pitch: Double) throws {
        let prosody = try Prosody(speed: speed, pitch: pitch)
        #expect(prosody.speed == speed && prosody.pitch == pitch)
    }

    @Test("refuses a speed outside, and says what is allowed", arguments: [0.49, 1.51, -1, .infinity, 0])
    func speedOutside(_ speed: Double) {
        let error = #expect(throws: SynthesisError.speedOutOfRange(speed)) { try Prosody(speed: speed) }
        #expect(error?.suggestion == "Choose a speed from 0.5 to 1.5.")
    }

    @Test("refuses a pitch outside, and says what is allowed", arguments: [0.49, 2.01, -1])
    func pitchOutside(_ pitch: Double) {
        let error = #expect(throws: SynthesisError.pitchOutOfRange(pitch)) { try Prosody(pitch: pitch) }
        #expect(error?.suggestion == "Choose a pitch from 0.5 to 2.")
    }

    @Test("refuses what is not a number")
    func notANumber() {
        #expect(throws: SynthesisError.self) { try Prosody(speed: .nan) }
        #expect(throws: SynthesisError.self) { try Prosody(pitch: .nan) }
    }

    @Test(
        "spreads practice rates over the speeds",
        arguments: [(0.1, 0.5), (0.3, 0.75), (0.5, 1), (0.75, 1.25), (1.0, 1.5)]
    )
    func practiceRates(_ rate: Double, _ speed: Double) throws {
        #expect(abs(try Prosody(practiceRate: rate).speed - speed) < 1e-9)
    }

    @Test("refuses a practice rate outside", arguments: [0, 0.09, 1.01, .nan])
    func practiceRateOutside(_ rate: Double) {
        #expect(throws: SynthesisError.self) { try Prosody(practiceRate: rate) }
    }
}
