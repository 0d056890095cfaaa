/// 16-bit mono sound, oldest sample first, in which silence is a number until it is read.
package struct SampleRuns: Sendable, Hashable {
    private enum Run: Sendable, Hashable {
        case sound([Int16])
        case silence(Int)

        var count: Int {
            switch self {
            case .sound(let samples): samples.count
            case .silence(let count): count
            }
        }
    }

    private var runs: [Run] = []
    /// How many samples there are in all.
    package private(set) var count = 0

    package init() {}

    package init(_ samples: [Int16]) { append(samples) }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ samples: [Int16]) {
        guard !samples.isEmpty else { return }
        runs.append(.sound(samples))
        count += samples.count
    }

    /// - Parameter silence: How many samples of it, not negative.
    package mutating func append(silence: Int) {
        guard silence > 0 else { return }
        if case .silence(let before) = runs.last {
            runs[runs.count - 1] = .silence(before + silence)
        } else {
            runs.append(.silence(silence))
        }
        count += silence
    }

    package mutating func append(_ others: SampleRuns) {
        for run in others.runs {
            switch run {
            case .sound(let samples): append(samples)
            case .silence(let count): append(silence: count)
            }
        }
    }

    /// Forgets the first `number` samples, or all there are.
    package mutating func removeFirst(_ number: Int) {
        var left = min(number, count)
        count -= left
        var gone = 0
        while left > 0 {
            let run = runs[gone]
            if run.count <= left {
                left -= run.count
                gone += 1
                continue
            }
            switch run {
            case .sound(let samples): runs[gone] = .sound(Array(samples[left...]))
            case .silence(let count): runs[gone] = .silence(count - left)
            }
            left = 0
        }
        runs.removeFirst(gone)
    }

    /// Reads samples from `start` on.
    ///
    /// - Parameters:
    ///   - start: The index of the first sample, from 0.
    ///   - limit: The most samples to return, above 0.
    /// - Returns: At least one sample if there is one from `start` on; possibly fewer than `limit`.
    package func samples(from start: Int, limit: Int) -> [Int16] {
        var place = start
        for run in runs {
            guard place >= run.count else {
                switch run {
                case .sound(let samples): return Array(samples[place..<min(samples.count, place + limit)])
                case .silence(let count): return Array(repeating: 0, count: min(count - place, limit))
                }
            }
            place -= run.count
        }
        return []
    }

    /// All of it; for short sounds.
    package var samples: [Int16] {
        runs.flatMap { run -> [Int16] in
            switch run {
            case .sound(let samples): samples
            case .silence(let count): Array(repeating: 0, count: count)
            }
        }
    }
}
