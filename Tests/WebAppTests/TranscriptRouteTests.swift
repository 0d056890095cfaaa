import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Transcripts by the page", .endsInTime)
struct TranscriptRouteTests {
    /// A recording of ten seconds in `studio`, with a transcript if there is a text.
    private func recording(in studio: TestStudio, saying texts: [String] = []) async throws -> AudioItem.ID {
        let library = studio.vault.library
        let order = try RecordingOrder(
            name: ItemName("Talk: one"),
            language: "en",
            sampleRate: 16_000,
            source: .microphone
        )
        let session = try await library.recordings.begin(order)
        let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 160_000))
        try await library.recordings.append(chunk, to: session.id)
        let item = try await library.recordings.finish(session.id)
        if !texts.isEmpty { try await add(texts, to: item.id, in: studio) }
        return item.id
    }

    @discardableResult
    private func add(
        _ texts: [String],
        to item: AudioItem.ID,
        in studio: TestStudio,
        asDraft isDraft: Bool? = nil,
        insteadOf failed: FailedRecognizer? = nil
    ) async throws -> String {
        let segments = texts.enumerated().map { index, text in
            TranscriptSegment(
                time: Double(index) * 2..<Double(index) * 2 + 2,
                text: text,
                words: text.spokenWords.enumerated().map { number, source in
                    let start = Double(index) * 2 + Double(number) * 0.2
                    return RecognizedWord(source: source, start: start, end: start + 0.2, confidence: 0.9)
                },
                timing: .words
            )
        }
        let transcript = Transcript(
            item: item,
            created: Date(timeIntervalSince1970: 1_790_000_000),
            source: TranscriptSource(
                recognizer: Recognizer.ID(rawValue: "scripted/plain"),
                recognizerName: "Plain",
                isDraft: isDraft,
                insteadOf: failed
            ),
            language: "en",
            segments: segments
        )
        return try await studio.vault.library.transcripts.add(transcript).id.rawValue
    }

    private func versions(of item: AudioItem.ID, in studio: TestStudio) async throws -> [[String: Any]] {
        let answer = try await studio.ask(.get, "/api/library/\(item)/transcripts")
        return try #require(try answer.json["versions"] as? [[String: Any]])
    }

    @Test("are exported with the marks of the recording, which are its chapters and can be named")
    func marks() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Good morning.", "Goodbye."])
        let path = "/api/library/\(item)/marks"
        #expect(try await studio.ask(.get, path).list.isEmpty)
        let body = #"{"marks":[{"seconds":2.125,"label":" The \n harbour "},{"seconds":0.125},{"seconds":99}]}"#
        let set = try await studio.ask(.put, path, body).list
        #expect(set.map { $0["seconds"] as? Double } == [0.125, 2.125, 10])
        #expect(set.map { $0["label"] as? String } == [nil, "The harbour", nil])
        #expect(try await studio.ask(.get, path).list.count == 3)
        let chapters = try await studio.ask(.get, "/api/library/\(item)/chapters").list
        #expect(chapters.map { $0["title"] as? String } == ["0:00", "The harbour"])
        #expect(chapters.map { $0["start"] as? Double } == [0, 2], "a sentence is in one chapter")
        let current = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let text = try await studio.ask(.get, "/api/transcripts/\(current)/export?format=txt").text
        #expect(text.contains("[mark at 0:02: The harbour]\n\nGoodbye."))
    }

    @Test("have marks that two writers change at the same time, of whom neither loses anything")
    func basedMarks() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let path = "/api/library/\(item)/marks"
        // This place is between two samples.
        let first = try await studio.ask(.put, path, #"{"marks":[{"seconds":0.33333,"label":"A"}],"base":[]}"#)
        #expect(first.status == .ok)
        let base = try await studio.ask(.get, path).text
        let added = #"{"marks":[{"seconds":0.33333,"label":"A"},{"seconds":1}],"base":\#(base)}"#
        #expect(try await studio.ask(.put, path, added).status == .ok)
        let late = try await studio.ask(.put, path, #"{"marks":[],"base":\#(base)}"#)
        #expect(late.status == .conflict)
        #expect(late.code == "library.recording-changed")
        #expect(try await studio.ask(.get, path).list.count == 2, "nothing is lost")
        let present = try await studio.ask(.get, path).text
        #expect(try await studio.ask(.put, path, #"{"marks":[],"base":\#(present)}"#).list.isEmpty)
        let other = try await studio.ask(.put, "/api/library/no-such/marks", #"{"marks":[],"base":[]}"#)
        #expect(other.code == "library.item-not-found")
    }

    @Test("stand with their speakers and marks in what the library exports of recordings as well")
    func exportedByTheLibrary() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let base = try await add(["Good morning.", "Goodbye."], to: item, in: studio)
        let segments = #"[{"start":0,"end":2,"text":"Good morning.","speaker":"Anna"}]"#
        let path = "/api/library/\(item)"
        let edited = #"{"base":"\#(base)","segments":\#(segments)}"#
        let made = try await studio.ask(.post, "\(path)/transcripts", edited)
        let id = try #require(try made.json["id"] as? String)
        _ = try await studio.ask(.put, "\(path)/marks", #"{"marks":[{"seconds":0.5,"label":"The harbour"}]}"#)
        for format in ["txt", "md", "srt", "vtt", "csv", "md&times=true", "txt&times=true", "csv&byWord=true"] {
            let exported = try await studio.ask(.get, "\(path)/export?format=\(format)")
            let version = try await studio.ask(.get, "/api/transcripts/\(id)/export?format=\(format)")
            #expect(exported.status == .ok && exported.text == version.text, "\(exported.text)")
            #expect(exported.text.contains("Anna"), "\(exported.text)")
        }
        let timings = try await studio.ask(.get, "\(path)/export?format=json")
        #expect(timings.status == .ok && !timings.text.contains("Anna"), "times alone are the same for narrations")
        let document = try await studio.ask(.get, "\(path)/export?format=docx")
        #expect(document.headers[.contentType]?.hasSuffix("wordprocessingml.document") == true)
        #expect(document.headers[.contentDisposition]?.contains("Talk one.docx") == true)
        #expect(document.data.range(of: Data("Anna: ".utf8)) != nil)
    }

    @Test("of several recordings are exported in each format that one has, and of what has none the name")
    func exportedTogether() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await recording(in: studio, saying: ["Good morning.", "Goodbye."])
        let silent = try await recording(in: studio)
        func exported(_ wish: String) async throws -> Data {
            let order = #"{"ids":["\#(item)","\#(silent)"],\#(wish)}"#
            let answer = try await studio.ask(.post, "/api/exports", order)
            let id = try #require(try answer.json["id"] as? String, "\(answer.text)")
            return try await studio.ask(.get, "/api/exports/\(id)").data
        }
        let wishes: [(String, [String])] = [
            (#""format":"md""#, ["Talk one.md", "Talk one (2).md", "# Talk: one\n\nGood morning. Goodbye.\n"]),
            (#""format":"md","times":true"#, ["# Talk: one\n\n`0:00` Good morning. Goodbye.\n"]),
            (#""format":"docx""#, ["Talk one.docx", "Talk one (2).docx", ">Good morning. Goodbye.<"]),
            (#""format":"csv""#, ["Talk one.csv", "start,end,speaker,text\r\n0.000,2.000,,Good morning.\r\n"]),
            (#""format":"csv","byWord":true"#, ["start,end,speaker,word,confidence,estimated\r\n0.000,0.200,,Good,"]),
            (#""format":"txt","times":true"#, ["Talk one.txt", "[0:00] Good morning. Goodbye.\n"]),
            (
                #""format":"mp3","beside":["docx","csv"],"times":true"#,
                ["Talk one.mp3", "Talk one.docx", "Talk one (2).csv", ">0:00  <"]
            ),
        ]
        for (wish, parts) in wishes {
            let made = try await exported(wish)
            for part in parts { #expect(made.range(of: Data(part.utf8)) != nil, "\(wish) lacks \(part)") }
        }
    }

    @Test("are put beside the sound of one recording, and not of several that are joined")
    func besideJoined() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await recording(in: studio, saying: ["Good morning."])
        let other = try await recording(in: studio, saying: ["Goodbye."])
        let wish = #""format":"mp3","beside":["md"],"joined":{"title":"Tales"}}"#
        let refused = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(item)","\#(other)"],"# + wish)
        #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"))
        let answer = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(item)"],"# + wish)
        let id = try #require(try answer.json["id"] as? String, "\(answer.text)")
        let made = try await studio.ask(.get, "/api/exports/\(id)").data
        for part in ["Tales.mp3", "Tales.md", "Good morning."] {
            #expect(made.range(of: Data(part.utf8)) != nil, "\(part)")
        }
    }

    @Test("that nobody has made are refused as downloads, which would be empty, unless there are marks to write")
    func notTranscribed() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await recording(in: studio)
        let path = "/api/library/\(item)"
        for format in ["txt", "md", "docx", "csv", "srt", "vtt", "json"] {
            let answer = try await studio.ask(.get, "\(path)/export?format=\(format)")
            #expect((answer.status, answer.code) == (.notFound, "export.not-transcribed"), "\(format)")
        }
        #expect(try await studio.ask(.get, "\(path)/export?format=wav").status == .ok)
        for wish in [#""format":"txt""#, #""format":"mp3","beside":["srt"]"#] {
            let answer = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(item)"],\#(wish)}"#)
            #expect((answer.status, answer.code) == (.notFound, "export.not-transcribed"), "\(wish)")
        }
        let other = try await recording(in: studio, saying: ["Good morning."])
        let both = #"{"ids":["\#(item)","\#(other)"],"format":"txt"}"#
        #expect(try await studio.ask(.post, "/api/exports", both).status == .ok)
        let mark = RecordingMark(sample: 0, label: "Opening")
        _ = try await studio.vault.library.audio.changeMarks(of: item) { $0.append(mark) }
        #expect(try await studio.ask(.get, "\(path)/export?format=txt").text.contains("Opening"))
    }

    @Test("are written of the sentences of what was read aloud, which has none")
    func ofNarration() async throws {
        let studio = try await TestStudio()
        let item = try await studio.record("The first\npart. The second.", name: "First")
        let text = try await studio.ask(.get, "/api/library/\(item)/export?format=md").text
        #expect(text == "# First\n\nThe first part. The second.\n")
        let table = try await studio.ask(.get, "/api/library/\(item)/export?format=csv").text
        #expect(table.hasPrefix("start,end,speaker,text\r\n"))
        #expect(table.hasSuffix(",,The second.\r\n"))
    }

    @Test("that are being made are refused to those who ask for an unknown one")
    func unknownHeard() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.get, "/api/transcriptions/no-such/segments").status == .notFound)
    }

    @Test("that are edited in one sitting are one version, named by what has changed")
    func sitting() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let base = try await add(["Good morning."], to: item, in: studio)
        let path = "/api/library/\(item)/transcripts"
        func edit(_ text: String, of base: String) async throws -> String {
            let segments = #"[{"start":0,"end":2,"text":"\#(text)","speaker":"Anna"}]"#
            let body = #"{"base":"\#(base)","replacesBase":true,"segments":\#(segments)}"#
            return try #require(try await studio.ask(.post, path, body).json["id"] as? String)
        }
        let first = try await edit("Good evening.", of: base)
        #expect(try await versions(of: item, in: studio).count == 2, "nothing replaces what a recogniser has written")
        let second = try await edit("Good evening all.", of: first)
        let all = try await versions(of: item, in: studio)
        #expect(all.compactMap { $0["id"] as? String } == [second, base])
        #expect(all.first?["base"] as? String == base)
        let changes = try #require(all.first?["changes"] as? [String: Any])
        #expect(changes["words"] as? Int == 2)
        #expect(changes["speakers"] as? [String] == ["Anna"])
    }

    @Test("in which two speakers become one leave the version before, so that they can be told apart again")
    func joinedSpeakers() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let base = try await add(["Good morning."], to: item, in: studio)
        let path = "/api/library/\(item)/transcripts"
        func name(_ speakers: [String], in base: String) async throws -> String {
            let segments = speakers.enumerated().map { place, speaker in
                #"{"start":\#(place),"end":\#(place + 1),"text":"Good morning.","speaker":"\#(speaker)"}"#
            }
            let body = #"{"base":"\#(base)","replacesBase":true,"segments":[\#(segments.joined(separator: ","))]}"#
            return try #require(try await studio.ask(.post, path, body).json["id"] as? String)
        }
        let misspelt = try await name(["Anna", "Bret"], in: base)
        let named = try await name(["Anna", "Bert"], in: misspelt)
        #expect(try await versions(of: item, in: studio).compactMap { $0["id"] as? String } == [named, base])
        let joined = try await name(["Anna", "Anna"], in: named)
        let all = try await versions(of: item, in: studio)
        #expect(all.compactMap { $0["id"] as? String } == [joined, named, base])
        #expect(all.first?["base"] as? String == named)
    }

    @Test("that several pages save at the same time are there, or are refused")
    func atOnce() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let base = try await add(["Good morning."], to: item, in: studio)
        let path = "/api/library/\(item)/transcripts"
        @Sendable func edit(_ text: String, of base: String) async throws -> Answer {
            let segments = #"[{"start":0,"end":2,"text":"\#(text)"}]"#
            let body = #"{"base":"\#(base)","replacesBase":true,"segments":\#(segments)}"#
            return try await studio.ask(.post, path, body)
        }
        let first = try #require(try await edit("Good evening.", of: base).json["id"] as? String)
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 1...8 { group.addTask { try await edit("Page \(number).", of: first).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let saved = statuses.count { $0 == .created }
        #expect(saved > 0 && statuses.allSatisfy { $0 == .created || $0 == .notFound }, "\(statuses)")
        #expect(try await versions(of: item, in: studio).count == saved + 1, "what was refused is not there")
    }

    @Test("have no marks with long labels, too many marks, or marks of no recording")
    func refusedMarks() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let path = "/api/library/\(item)/marks"
        let long = String(repeating: "x", count: 201)
        let answer = try await studio.ask(.put, path, #"{"marks":[{"seconds":1,"label":"\#(long)"}]}"#)
        #expect(answer.status == .unprocessableContent)
        let many = Array(repeating: #"{"seconds":1}"#, count: RecordingMark.most + 1).joined(separator: ",")
        #expect(try await studio.ask(.put, path, #"{"marks":[\#(many)]}"#).code == "recording.too-many-marks")
        #expect(try await studio.ask(.get, path).list.isEmpty)
        let other = try await studio.ask(.put, "/api/library/no-such/marks", #"{"marks":[]}"#)
        #expect(other.code == "library.item-not-found")
    }

    @Test("say which of them was heard while the recording was made")
    func draft() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let draft = try await add(["Good mourning."], to: item, in: studio, asDraft: true)
        try await add(["Good morning."], to: item, in: studio)
        let versions = try await versions(of: item, in: studio)
        #expect(versions.compactMap { $0["isDraft"] as? Bool } == [false, true])
        #expect(try await studio.ask(.get, "/api/transcripts/\(draft)").json["isDraft"] as? Bool == true)
    }

    @Test("are listed newest first, and shown with every word")
    func shown() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Good morning.", "Goodbye."])
        let id = try await add(["Good warning."], to: item, in: studio)
        let versions = try await versions(of: item, in: studio)
        #expect(versions.compactMap { $0["number"] as? Int } == [2, 1])
        #expect(versions.compactMap { $0["isCurrent"] as? Bool } == [true, false])
        #expect(versions.compactMap { $0["recognizerName"] as? String } == ["Plain", "Plain"])
        let transcript = try await studio.ask(.get, "/api/transcripts/\(id)").json
        #expect(transcript["number"] as? Int == 2)
        #expect(transcript["uncertainBelow"] as? Double == 0.5)
        #expect(transcript["text"] as? String == "Good warning.")
        let segments = try #require(transcript["segments"] as? [[String: Any]])
        let words = try #require(segments.first?["words"] as? [[String: Any]])
        #expect(words.compactMap { $0["from"] as? Int } == [0, 5])
        #expect(words.compactMap { $0["precision"] as? String } == ["exact", "exact"])
        let missing = try await studio.ask(.get, "/api/transcripts/none")
        #expect((missing.status, missing.code) == (.notFound, "transcript.not-found"))
    }

    @Test("are edited into another version, which keeps the times of words that stay")
    func edited() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Good warning.", "Bye."])
        let base = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let body = """
            {"base":"\(base)","segments":[{"start":0,"end":2,"text":"Good morning all.","speaker":"Anna"},\
            {"start":2,"end":4,"text":"Bye."}]}
            """
        let answer = try await studio.ask(.post, "/api/library/\(item)/transcripts", body)
        #expect(answer.status == .created, "\(answer.text)")
        let segments = try #require(try answer.json["segments"] as? [[String: Any]])
        #expect(segments[0]["speaker"] as? String == "Anna")
        #expect(segments[0]["remark"] as? String == "edited")
        #expect(segments[1]["remark"] is NSNull)
        let beginnings = segments.prefix(2).compactMap { $0["beginsParagraph"] as? Bool }
        #expect(beginnings == [true, true], "the speaker is another")
        #expect(segments.prefix(2).compactMap { $0["offset"] as? Int } == [0, 18])
        let words = try #require(segments[0]["words"] as? [[String: Any]])
        #expect(words.compactMap { $0["precision"] as? String } == ["exact", "estimated", "estimated"])
        #expect(try await versions(of: item, in: studio).first?["base"] as? String == base)
        #expect(try await studio.vault.library.audio.text(of: item) == "Good morning all.\nBye.")
    }

    @Test(
        "are not edited by what is no edit",
        arguments: [
            (#"{"start":0,"end":20,"text":"a"}"#, "segment-behind-end"),
            (#"{"kind":"silence","start":0,"end":1,"text":"a"}"#, "invalid-segments"),
            (#"{"start":2,"end":1,"text":"a"}"#, "segment-backwards"),
            (#"{"start":0,"end":2,"text":"a"},{"start":1,"end":3,"text":"b"}"#, "segments-overlap"),
        ]
    )
    func refused(_ segments: String, code: String) async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Hello."])
        let base = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let body = #"{"base":"\#(base)","segments":[\#(segments)]}"#
        let answer = try await studio.ask(.post, "/api/library/\(item)/transcripts", body)
        #expect((answer.status, answer.code) == (.unprocessableContent, "transcript.\(code)"))
    }

    @Test("say that another recognizer made them until that is dismissed")
    func dismissed() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let failed = FailedRecognizer(Recognizer.ID(rawValue: "remote/office"), Failure(TranscriptError.jobBusy))
        let id = try await add(["One."], to: item, in: studio, insteadOf: failed)
        let before = try await studio.ask(.get, "/api/transcripts/\(id)").json["insteadOf"] as? [String: Any]
        #expect(before?["recognizer"] as? String == "remote/office")
        let path = "/api/transcripts/\(id)/instead-of/dismiss"
        #expect(try await studio.ask(.post, path, "{}").status == .noContent)
        #expect(try await studio.ask(.get, "/api/transcripts/\(id)").json["insteadOf"] is NSNull)
        #expect(try await versions(of: item, in: studio).first?["insteadOf"] is NSNull)
        let kept = try await studio.vault.library.transcripts.transcript(Transcript.ID(rawValue: id))
        #expect(kept.source.insteadOf == nil && kept.source.recognizerName == "Plain")
        let missing = try await studio.ask(.post, "/api/transcripts/none/instead-of/dismiss", "{}")
        #expect((missing.status, missing.code) == (.notFound, "transcript.not-found"))
    }

    @Test("are made current and deleted")
    func chosen() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["One."])
        let first = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let second = try await add(["Two."], to: item, in: studio)
        let chosen = try await studio.ask(.post, "/api/transcripts/\(first)/current", "{}")
        let states = try #require(try chosen.json["versions"] as? [[String: Any]])
        #expect(states.compactMap { $0["isCurrent"] as? Bool } == [false, true])
        #expect(try await studio.vault.library.audio.text(of: item) == "One.")
        #expect(try await studio.ask(.delete, "/api/transcripts/\(first)", "{}").status == .noContent)
        #expect(try await versions(of: item, in: studio).compactMap { $0["id"] as? String } == [second])
        #expect(try await studio.vault.library.audio.text(of: item) == "Two.")
    }

    @Test("are compared word by word")
    func compared() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Good morning all."])
        let first = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let second = try await add(["Good warning all, friends."], to: item, in: studio)
        let answer = try await studio.ask(.get, "/api/transcripts/\(first)/differences?with=\(second)")
        let passages = try #require(try answer.json["passages"] as? [[String: Any]])
        #expect(passages.compactMap { $0["kind"] as? String } == ["equal", "replaced", "equal", "added"])
        #expect((passages[1]["first"] as? [String: Any])?["text"] as? String == "morning")
        #expect(passages[3]["first"] is NSNull)
        #expect(try answer.json["missing"] as? Int == 1)
        #expect(try answer.json["added"] as? Int == 2)
        let alone = try await studio.ask(.get, "/api/transcripts/\(first)/differences")
        #expect((alone.status, alone.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("are exported under the recording's name", arguments: TranscriptFormat.allCases)
    func exported(_ format: TranscriptFormat) async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Good morning."])
        let id = try #require(try await versions(of: item, in: studio).first?["id"] as? String)
        let answer = try await studio.ask(.get, "/api/transcripts/\(id)/export?format=\(format.rawValue)&times=true")
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(answer.headers[.contentDisposition]?.contains(".\(format.rawValue)") == true)
        let isText = answer.text.contains("Good morning.")
        #expect(isText, "also in a document, which is not compressed")
    }

    @Test("are searched, with the second of each place")
    func searched() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio, saying: ["Turn left here.", "Then turn left again."])
        _ = try await recording(in: studio, saying: ["Nothing."])
        let answer = try await studio.ask(.get, "/api/transcripts/search?words=turn%20left")
        #expect(try answer.json["total"] as? Int == 1)
        let hit = try #require((try answer.json["hits"] as? [[String: Any]])?.first)
        #expect((hit["item"] as? [String: Any])?["id"] as? String == item.rawValue)
        let places = try #require(hit["places"] as? [[String: Any]])
        #expect(places.compactMap { $0["seconds"] as? Double } == [0, 2.2])
        #expect(places.compactMap { $0["from"] as? Int } == [0, 5])
        let nothing = try await studio.ask(.get, "/api/transcripts/search?words=-")
        #expect((nothing.status, nothing.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("are found, listed and deleted where one of them is damaged")
    func damaged() async throws {
        let studio = try await TestStudio()
        let broken = try await recording(in: studio, saying: ["Turn left here."])
        _ = try await recording(in: studio, saying: ["Then turn left again."])
        let transcripts = try #require(studio.vault.library.transcripts as? MemoryTranscripts)
        let id = try #require(try await versions(of: broken, in: studio).first?["id"] as? String)
        await transcripts.damage(Transcript.ID(rawValue: id))
        let hits = try await studio.ask(.get, "/api/transcripts/search?words=left").json["hits"] as? [[String: Any]]
        let found = Dictionary(
            uniqueKeysWithValues: (hits ?? []).map { ($0["transcript"] as? String, $0["isCut"] as? Bool) }
        )
        #expect(found.count == 2 && found[id] == true, "it has more places than can be read")
        #expect(try await studio.ask(.delete, "/api/transcripts/\(id)", "{}").status == .noContent)
        #expect(try await versions(of: broken, in: studio).isEmpty)
    }

    @Test("are searched for 50 places in each, and say where there are more", arguments: [(10, false), (11, true)])
    func manyPlaces(_ count: Int, _ isCut: Bool) async throws {
        let studio = try await TestStudio()
        let text = Array(repeating: "left", count: count).joined(separator: " ")
        _ = try await recording(in: studio, saying: Array(repeating: text, count: 5))
        let answer = try await studio.ask(.get, "/api/transcripts/search?words=left")
        let hit = try #require((try answer.json["hits"] as? [[String: Any]])?.first)
        #expect((hit["places"] as? [[String: Any]])?.count == 50)
        #expect(hit["isCut"] as? Bool == isCut)
    }
}

@Suite("Transcriptions by the page", .endsInTime)
struct TranscriptionRouteTests {
    /// A recording of two seconds.
    private func recording(in studio: TestStudio, language: String = "und") async throws -> AudioItem.ID {
        let library = studio.vault.library
        let order = try RecordingOrder(name: ItemName("Talk"), language: language, sampleRate: 16_000, source: .file)
        let session = try await library.recordings.begin(order)
        let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 9_000, count: 32_000))
        try await library.recordings.append(chunk, to: session.id)
        return try await library.recordings.finish(session.id).id
    }

    @Test("are begun, listed, and become a transcript")
    func begun() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/library/\(item)/transcriptions", #"{"language":"en"}"#)
        #expect(begun.status == .created, "\(begun.text)")
        let job = try #require(try begun.json["id"] as? String)
        #expect(try begun.json["item"] as? String == item.rawValue)
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.version != nil { break }
        }
        let done = try await studio.ask(.get, "/api/transcriptions/\(job)").json
        #expect(done["state"] as? String == "done")
        let version = try #require(done["transcript"] as? String)
        #expect(try await studio.ask(.get, "/api/transcripts/\(version)").status == .ok)
        #expect(try (await studio.ask(.get, "/api/transcriptions").json["jobs"] as? [Any])?.isEmpty == true)
    }

    @Test(
        "are in the recording's language where the order names none, unless it is to be detected",
        arguments: [
            ("{}", "et"), (#"{"recognizers":["scripted/plain"]}"#, "et"), (#"{"from":0,"to":1}"#, "et"),
            (#"{"language":"en"}"#, "en"), (#"{"language":"und"}"#, nil),
        ] as [(String, String?)]
    )
    func language(order: String, asked: String?) async throws {
        let recognizer = ScriptedRecognizer()
        let studio = try await TestStudio(recognizer: recognizer)
        let item = try await recording(in: studio, language: "et")
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/library/\(item)/transcriptions", order)
        #expect(begun.status == .created, "\(begun.text)")
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.version != nil { break }
        }
        #expect(!recognizer.requests.isEmpty)
        #expect(recognizer.requests.allSatisfy { $0.settings.language == asked })
    }

    @Test(
        "of a part are in the language of the version that it is put into where the recording's is not known",
        arguments: [("", "et"), (#","language":"und""#, nil)] as [(String, String?)]
    )
    func languageOfPart(ordered: String, asked: String?) async throws {
        let recognizer = ScriptedRecognizer()
        let studio = try await TestStudio(recognizer: recognizer)
        let item = try await recording(in: studio)
        let transcript = Transcript(
            item: item,
            created: Date(),
            source: TranscriptSource(),
            language: "et",
            segments: [TranscriptSegment(time: 0..<2, text: "Tere.")]
        )
        let base = try await studio.vault.library.transcripts.add(transcript).id
        let subscription = await studio.events.subscribe()
        let order = #"{"from":0,"to":1,"base":"\#(base)"\#(ordered)}"#
        let begun = try await studio.ask(.post, "/api/library/\(item)/transcriptions", order)
        #expect(begun.status == .created, "\(begun.text)")
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.version != nil { break }
        }
        #expect(!recognizer.requests.isEmpty)
        #expect(recognizer.requests.allSatisfy { $0.settings.language == asked })
    }

    @Test("that wait for leave to send continue once the setting asks for none")
    func unasked() async throws {
        let studio = try await TestStudio(sending: { _, seconds in
            Sending(host: "speech.example", bytes: Int(seconds * 32_000), seconds: seconds)
        })
        let item = try await recording(in: studio)
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/library/\(item)/transcriptions", #"{"language":"en"}"#)
        #expect(begun.status == .created, "\(begun.text)")
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.sending != nil { break }
        }
        let setting = try await studio.ask(.put, "/api/settings/transcription.consent", #"{"value":"never-ask"}"#)
        #expect(setting.status == .ok)
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.version != nil { break }
        }
    }

    @Test("follow the name of their recording, and end when it is deleted")
    func withRecording() async throws {
        let gate = Latch()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let studio = try await TestStudio(recognizer: recognizer)
        let item = try await recording(in: studio)
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/library/\(item)/transcriptions", #"{"language":"en"}"#)
        let job = try #require(try begun.json["id"] as? String)
        let renamed = try await studio.ask(.patch, "/api/library/\(item)", #"{"name":"Another name"}"#)
        #expect(renamed.status == .ok)
        let listed = try await studio.ask(.get, "/api/transcriptions").json["jobs"] as? [[String: Any]]
        #expect(listed?.compactMap { $0["name"] as? String } == ["Another name"])
        let deletion = #"{"ids":["\#(item)"]}"#
        #expect(try await studio.ask(.post, "/api/library/delete", deletion).status == .noContent)
        for await entry in subscription.entries {
            if case .transcription(let status) = entry.event, status.isGone { break }
        }
        gate.set()
        let left = try await studio.ask(.get, "/api/transcriptions").json["jobs"] as? [Any]
        #expect(left?.isEmpty == true)
        let again = try await studio.ask(.post, "/api/transcriptions/\(job)/retry", "{}")
        #expect((again.status, again.code) == (.notFound, "transcription.job-not-found"))
    }

    @Test("are refused for what they cannot be of")
    func refused() async throws {
        let studio = try await TestStudio()
        let item = try await recording(in: studio)
        let spoken = try await studio.record("A voice spoke this.")
        for (path, body, status, code) in [
            ("none", "{}", 404, "library.item-not-found"),
            ("\(spoken)", "{}", 409, "transcript.of-narration"),
            ("\(item)", #"{"recognizers":["no/such"]}"#, 404, "recognition.not-installed"),
            ("\(item)", #"{"from":5,"to":1}"#, 422, "web.bad-request"),
            ("\(item)", #"{"base":"x"}"#, 422, "web.bad-request"),
            ("\(item)", #"{"from":0,"to":1,"base":"x"}"#, 404, "transcript.not-found"),
        ] {
            let answer = try await studio.ask(.post, "/api/library/\(path)/transcriptions", body)
            #expect((answer.status.code, answer.code) == (status, code), "\(body)")
        }
        for action in ["retry", "cancel", "allow"] {
            let answer = try await studio.ask(.post, "/api/transcriptions/none/\(action)", "{}")
            #expect((answer.status, answer.code) == (.notFound, "transcription.job-not-found"))
        }
        #expect(try await studio.ask(.delete, "/api/transcriptions/none", "{}").status == .notFound)
    }
}
