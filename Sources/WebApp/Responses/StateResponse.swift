import API
import EchoText
import Hummingbird

/// The facts that the page gets before anything is unlocked.
struct StateResponse: ResponseEncodable {
    let vault: VaultStatusResponse
    let version: String
    /// The key with which the page checks proofs of `/api/proof`; only in the answer to `/api/state`.
    var proofKey: String?
    var wordLimit = 10_000
    var speedRange = [Prosody.speedRange.lowerBound, Prosody.speedRange.upperBound]
    var pitchRange = [Prosody.pitchRange.lowerBound, Prosody.pitchRange.upperBound]
    var chanceRange = [Prosody.chanceRange.lowerBound, Prosody.chanceRange.upperBound]
}
