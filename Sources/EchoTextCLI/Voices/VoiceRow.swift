import EchoText
import Foundation

/// A voice in a list.
struct VoiceRow: Encodable {
    let id: String
    let name: String
    let language: String
    let engine: String
    let speakers: Int
    let sampleRate: Int?
    var quality: String?
    /// In bytes, unpacked.
    var size: Int64?
    var licence: VoiceLicence?
    var installedAt: Date?
    var lastUsed: Date?
    /// Seconds of speech in one second of this machine.
    var speed: Double?
    var isFavorite = false
    var isSelected = false
    var problem: JSONFailure.Content?

    init(_ voice: Voice) {
        (id, name, language) = (voice.id.rawValue, voice.name, voice.language)
        (engine, speakers, sampleRate) = (voice.engine.rawValue, voice.speakers, voice.sampleRate)
    }

    init(_ fault: VoiceFault) {
        (id, name) = (fault.id.rawValue, fault.folder.name)
        language = LanguageTag.canonical(String(fault.folder.name.prefix { $0 != "-" }))
        (engine, speakers, sampleRate) = (Voice.Engine.piper.rawValue, 1, nil)
        size = fault.bytes
        problem = JSONFailure.Content(fault.error.failure)
    }

    mutating func add(_ installed: InstalledVoice) {
        (quality, size, licence) = (installed.quality?.rawValue, installed.bytes, installed.licence)
        installedAt = installed.receipt.map { Date(timeIntervalSince1970: $0.installedAt) }
    }

    mutating func add(_ selection: VoiceSelection) {
        let id = Voice.ID(rawValue: id)
        isSelected = selection.selected == id
        guard let record = selection.records[id] else { return }
        isFavorite = record.isFavorite
        speed = record.speed
        lastUsed = record.lastUsed.map(Date.init(timeIntervalSince1970:))
        if problem == nil { problem = record.problem(with: name).map(JSONFailure.Content.init) }
    }

    /// All voices, those that cannot speak too.
    static func all(in studio: Studio, _ installedVoices: InstalledVoices, _ selection: VoiceSelection?) async
        -> [VoiceRow]
    {
        let byID = Dictionary(installedVoices.voices.map { ($0.voice.id.rawValue, $0) }) { first, _ in first }
        let rows = await studio.voices.map { VoiceRow($0) } + (await studio.faults.map { VoiceRow($0) })
        return rows.map { row in
            var row = row
            if let voice = byID[row.id] { row.add(voice) }
            if let selection { row.add(selection) }
            return row
        }
    }

    var columns: [String] {
        [
            id, language, name, engine, String(speakers), size.map { Answer.size(Int($0)) } ?? "",
            licence?.name ?? "",
            [isSelected ? "*" : nil, isFavorite ? "♥" : nil, problem?.message].compactMap(\.self)
                .joined(separator: " "),
        ]
    }
}
