import EchoText
import Foundation
import Testing

@testable import Workers

@Suite("Voice records")
struct WorkerRecordTests {
    private let timing = WorkerTiming()

    @Test func `set a voice aside at its third death`() throws {
        var record = WorkerRecord(VoiceStamp(of: try TemporaryVoice().folder))
        for deaths in 1...3 {
            #expect(!record.isDisabled(timing))
            record.died(at: .zero, timing)
            #expect(record.deaths == deaths)
        }
        #expect(record.isDisabled(timing))
    }

    @Test func `wait twice as long with every death, up to a limit`() throws {
        var record = WorkerRecord(VoiceStamp(of: try TemporaryVoice().folder))
        var waits: [Duration] = []
        for _ in 0..<12 {
            record.died(at: .seconds(5), timing)
            waits.append(record.notBefore - .seconds(5))
        }
        #expect(waits.prefix(4) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(waits.last == timing.longestBackOff)
    }

    @Test func `forget deaths after enough good answers in a row`() throws {
        var record = WorkerRecord(VoiceStamp(of: try TemporaryVoice().folder))
        record.died(at: .zero, timing)
        for _ in 1..<timing.answersToReset { record.answered(timing) }
        #expect(record.deaths == 1)
        record.answered(timing)
        #expect(record.deaths == 0)
    }

    @Test func `forget deaths when the files change`() throws {
        let voice = try TemporaryVoice()
        var record = WorkerRecord(VoiceStamp(of: voice.folder))
        record.died(at: .zero, timing)
        var areOthers = record.update(files: VoiceStamp(of: voice.folder))
        #expect(!areOthers)
        #expect(record.deaths == 1)
        try Data("another model".utf8).write(to: URL(filePath: voice.folder.model))
        areOthers = record.update(files: VoiceStamp(of: voice.folder))
        #expect(areOthers)
        #expect(record.deaths == 0)
    }
}
