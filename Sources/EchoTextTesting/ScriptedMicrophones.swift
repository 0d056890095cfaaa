package import EchoText
import Synchronization

/// Microphones whose sound a test supplies.
package final class ScriptedMicrophones: CaptureDevices {
    /// The sound of the next opened devices before they are disconnected; with `stays` the last one remains, silent.
    package struct Script: Sendable {
        package var name: String
        package var pieces: [[Int16]]
        package var stays: Bool
        /// Seconds that are lost before pieces, by their numbers from 0.
        package var losses: [Int: Double] = [:]

        package init(name: String = "microphone", pieces: [[Int16]], stays: Bool = false) {
            (self.name, self.pieces, self.stays) = (name, pieces, stays)
        }
    }

    private let scripts: Mutex<[Script]>
    private let opened = Mutex<[[Int]]>([])

    package init(_ scripts: [Script]) {
        self.scripts = Mutex(scripts)
    }

    /// The rates that were asked for, of each device that was opened.
    package var askedRates: [[Int]] { opened.withLock(\.self) }

    package func all() async -> [CaptureDeviceListing] {
        scripts.withLock { $0.map { CaptureDeviceListing(id: $0.name, name: $0.name) } }
    }

    package func open(_ id: String?, rates: [Int]) async throws -> any CaptureDevice {
        let script = scripts.withLock { scripts -> Script? in
            guard let index = scripts.firstIndex(where: { id == nil || $0.name == id }) else { return nil }
            return scripts.remove(at: index)
        }
        guard let script else { throw id.map { CaptureError.deviceNotFound($0) } ?? CaptureError.noMicrophone }
        opened.withLock { $0.append(rates) }
        return Device(script, sampleRate: rates.first ?? 48_000)
    }

    private final class Device: CaptureDevice {
        let name: String
        let sampleRate: Int
        private let stays: Bool
        private let rest: Mutex<ArraySlice<[Int16]>>
        private let losses: Mutex<[Int: Double]>
        private let closing = Latch()

        init(_ script: Script, sampleRate: Int) {
            name = script.name
            stays = script.stays
            rest = Mutex(script.pieces[...])
            losses = Mutex(script.losses)
            self.sampleRate = sampleRate
        }

        func next() async throws -> [Int16] {
            try Task.checkCancellation()
            guard !closing.isSet else { throw CaptureError.deviceGone }
            if let piece = rest.withLock({ $0.popFirst() }) { return piece }
            if stays { await closing.wait() }
            try Task.checkCancellation()
            throw CaptureError.deviceGone
        }

        func takePending() -> [Int16] {
            rest.withLock { rest in
                defer { rest = [] }
                return rest.flatMap(\.self)
            }
        }

        func takeLost() -> Double {
            let last = rest.withLock(\.startIndex) - 1
            return losses.withLock { $0.removeValue(forKey: last) } ?? 0
        }

        func close() { closing.set() }
    }
}
