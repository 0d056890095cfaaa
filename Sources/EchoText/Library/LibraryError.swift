/// Why the library refuses a request.
package enum LibraryError: UserFacingError, Equatable {
    package enum NameProblem: Sendable, Hashable {
        case empty
        case tooLong(limit: Int)
        /// It has a line end, a control character, or a character that changes the direction of text.
        case controlCharacter

        fileprivate var message: String {
            switch self {
            case .empty: "A name has at least one visible character."
            case .tooLong(let limit): "A name has at most \(limit) characters."
            case .controlCharacter: "A name is one line without control characters."
            }
        }
    }

    case invalidName(NameProblem)
    case itemNotFound
    /// A recording of this name was imported from the very same file.
    case recordingThere(name: String)
    /// The library does not have the file that the recording comes from.
    case fileNotKept
    /// Several recordings match the beginning of an id or name; `ids` are of the first of them, where they are known.
    case ambiguous(count: Int, ids: [String] = [])
    /// Its sound would be more than a WAV file can hold.
    case recordingTooLong
    /// It was changed after it was read.
    case recordingChanged
    case textNotFound
    case textUnreadable
    case profileNotFound
    case profileNameTaken
    case defaultProfileStays
    case jobNotFound
    /// The row of an unfinished narration cannot be read any more.
    case jobDamaged
    /// Another process works on the job.
    case jobBusy
    /// No sentence of an unfinished narration is whole.
    case nothingToKeep
    /// The queue is full.
    case tooManyJobs(limit: Int)
    /// As many texts as are kept at once are being written.
    case tooManyDrafts(limit: Int)
    case entryNotFound
    /// The saved queue cannot be read, and stays until a person empties it.
    case queueUnreadable
    case documentNotFound
    /// Several documents match the beginning of an id or name; `ids` are of the first of them.
    case ambiguousDocument(count: Int, ids: [String] = [])
    /// The very same file was imported before, under this name.
    case documentThere(name: String, id: Document.ID)
    /// Another process works through the batch.
    case batchBusy
    case batchEntryNotFound
    /// The order of an entry of the batch cannot be read any more.
    case batchEntryDamaged
    /// The person stopped a narration of the batch.
    case narrationStopped
    /// The program ended twice while it made a narration of the batch.
    case narrationEndedProgram
    case unknownSetting(name: String, nearest: String?)
    case invalidSetting(name: String, allowed: String)
    /// A setting has another value than the one that a change was made from.
    case settingChanged

    package var failure: Failure {
        switch self {
        case .invalidName(let problem):
            Failure(.invalidContent, "library.invalid-name", problem.message)
                .suggesting("Nothing was changed. Give another name.")
        case .itemNotFound:
            Failure(.notFound, "library.item-not-found", "There is no such recording in the library.")
                .suggesting(
                    "It may have been deleted meanwhile.",
                    inTerminal: "“echotext library list” shows what there is."
                )
        case .recordingThere(let name):
            Failure(.conflict, "library.recording-there", "This file is in the library already, as “\(name)”.")
                .suggesting(
                    "Use the recording that is there, or import the file again.",
                    inTerminal: "Use the recording that is there, or import the file once more with --again."
                )
        case .fileNotKept:
            Failure(.notFound, "library.file-not-kept", "The file of this recording is not in the library.")
                .suggesting(
                    "Export its sound instead. How large a file may be to be kept is a setting.",
                    inTerminal:
                        "Export its sound instead. Imported files are kept up to the size in the setting recording.keep-files."
                )
        case .ambiguous(let count, let ids):
            Failure(.invalidRequest, "library.ambiguous", "\(count) recordings begin with that.")
                .suggesting(Self.choice(among: ids, of: count))
        case .recordingTooLong:
            Failure(
                .invalidContent,
                "library.recording-too-long",
                "The narration has become longer than one recording can be, which is 4 GiB of sound."
            )
            .suggesting("Divide the text and narrate its parts one by one.")
        case .recordingChanged:
            Failure(.conflict, "library.recording-changed", "The recording has been changed meanwhile.")
                .suggesting("Look at it again, and repeat what you wanted.")
        case .textNotFound:
            Failure(.notFound, "history.text-not-found", "There is no such text in the history.")
                .suggesting(
                    "It may have been deleted meanwhile.",
                    inTerminal: "“echotext history list” shows what there is."
                )
        case .textUnreadable:
            Failure(.damaged, "history.text-unreadable", "This text of the history is damaged and cannot be read.")
                .suggesting("Delete it; the other texts are whole.")
        case .profileNotFound:
            Failure(.notFound, "profile.not-found", "There is no such voice profile.")
                .suggesting(
                    "It may have been deleted meanwhile.",
                    inTerminal: "“echotext profiles list” shows what there is."
                )
        case .profileNameTaken:
            Failure(.conflict, "profile.name-taken", "Another voice profile has that name.")
                .suggesting("Give it another name.")
        case .defaultProfileStays:
            Failure(.conflict, "profile.default-stays", "The default voice profile cannot be deleted.")
                .suggesting("Change its voice, speed or pitch instead.")
        case .jobNotFound:
            Failure(.notFound, "job.not-found", "There is no such unfinished narration.")
                .suggesting(
                    "It was kept or discarded meanwhile.",
                    inTerminal: "“echotext library jobs” shows what there is."
                )
        case .jobDamaged:
            Failure(.damaged, "job.damaged", "This unfinished narration is damaged and cannot be read.")
                .suggesting("Discard it; the others are whole.")
        case .jobBusy:
            Failure(.busy, "job.busy", "That narration is being worked on just now.")
                .suggesting("Wait until it is done, or stop it.")
        case .nothingToKeep:
            Failure(
                .conflict,
                "job.nothing-to-keep",
                "No sentence of this narration is whole yet, so there is nothing to keep."
            )
            .suggesting("It is left unfinished: continue it, or discard it.")
        case .tooManyJobs(let limit):
            Failure(.tooManyRequests, "job.too-many", "\(limit) narrations are waiting already.")
                .suggesting("Wait until one is done, or stop some.")
                // About as long as a short narration takes.
                .retrying(after: .seconds(10))
        case .tooManyDrafts(let limit):
            Failure(.conflict, "draft.too-many", "\(limit) unfinished texts are kept already, which is the most.")
                .suggesting(
                    "Open EchoText in another tab: it shows the last of them, which can be spoken or cleared there."
                )
        case .entryNotFound:
            Failure(.notFound, "queue.entry-not-found", "There is no such entry in the queue.")
                .suggesting(
                    "It may have been removed meanwhile.",
                    inTerminal: "“echotext queue list” shows what there is."
                )
        case .queueUnreadable:
            Failure(.damaged, "queue.unreadable", "The queue cannot be read, so it is kept as it is.")
                .suggesting(
                    "Empty it to begin a new one.",
                    inTerminal: "Empty it with “echotext queue clear” to begin a new one."
                )
        case .documentNotFound:
            Failure(.notFound, "document.not-found", "There is no such document in the library.")
                .suggesting(
                    "It may have been deleted; what was spoken of it is still in the library.",
                    inTerminal: "“echotext documents list” shows what there is."
                )
        case .ambiguousDocument(let count, let ids):
            Failure(.invalidRequest, "document.ambiguous", "\(count) documents begin with that.")
                .suggesting(Self.choice(among: ids, of: count))
        case .documentThere(let name, _):
            Failure(.conflict, "document.there-already", "This file is in the library already, as “\(name)”.")
                .suggesting(
                    "Import it again, or skip it.",
                    inTerminal: "Use the one that is there, or import the file once more with --again."
                )
        case .batchBusy:
            Failure(.busy, "batch.busy", "The batch is being worked on just now.")
                .suggesting("Stop it where it is worked on, or wait until it is done.")
        case .batchEntryNotFound:
            Failure(.notFound, "batch.entry-not-found", "There is no such entry in the batch.")
                .suggesting(
                    "It may have been taken out meanwhile.",
                    inTerminal: "“echotext batch --list” shows what there is."
                )
        case .batchEntryDamaged:
            Failure(.damaged, "batch.entry-damaged", "This entry of the batch is damaged and cannot be read.")
                .suggesting("Take it out of the batch, and add its document again; the others are made.")
        case .narrationStopped:
            Failure(.conflict, "batch.stopped", "This narration was stopped.")
                .suggesting("Continue it among the unfinished narrations, or make it again.")
        case .narrationEndedProgram:
            Failure(.internal, "batch.ended-program", "The program ended twice while it made this narration.")
                .suggesting("Try it again, or take it out of the batch; the others are made.")
        case .unknownSetting(let name, let nearest):
            Failure(.invalidRequest, "settings.unknown", "There is no setting called “\(name)”.")
                .suggesting(
                    "Load the page again: EchoText may be another version by now.",
                    inTerminal: nearest.map { "Did you mean “\($0)”?" } ?? "“echotext settings list” shows all."
                )
        case .invalidSetting(let name, let allowed):
            Failure(.invalidRequest, "settings.invalid", "The setting “\(name)” takes \(allowed).")
                .suggesting("The value it has is kept.")
        case .settingChanged:
            Failure(.conflict, "settings.changed", "The setting has been changed meanwhile.")
                .suggesting("Look at it again, and repeat what you wanted.")
        }
    }

    /// Most matches whose ids an error has.
    static let namedMatches = 8

    private static func choice(among ids: [String], of count: Int) -> String {
        guard !ids.isEmpty else { return "Give more of the id or name." }
        let rest = count > ids.count ? "; the list shows the others" : ""
        return "Give more of the name, or one of these ids: \(ids.joined(separator: ", "))\(rest)."
    }
}
