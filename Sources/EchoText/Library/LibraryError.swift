/// Why the library does not do what was asked.
package enum LibraryError: UserFacingError, Equatable {
    package enum NameProblem: Sendable, Hashable {
        case empty
        case tooLong(limit: Int)
        /// A line end, a control or what turns a line's direction.
        case controlCharacter
    }

    case invalidName(NameProblem)
    case itemNotFound
    /// Several recordings begin with what was given as an id or name.
    case ambiguous(count: Int)
    /// Its sound would be more than a WAV file can hold.
    case recordingTooLong
    case textNotFound
    case profileNotFound
    case profileNameTaken
    case defaultProfileStays
    case jobNotFound
    /// Another process works on the job.
    case jobBusy
    /// The queue is full.
    case tooManyJobs(limit: Int)
    case entryNotFound
    case documentNotFound
    /// Several documents begin with what was given as an id or name.
    case ambiguousDocument(count: Int)
    /// The very same file was imported before, under this name.
    case documentThere(name: String)
    /// Another process works through the batch.
    case batchBusy
    case batchEntryNotFound
    /// The person stopped one of the batch.
    case narrationStopped
    case unknownSetting(name: String, nearest: String?)
    case invalidSetting(name: String, allowed: String)

    package var code: String {
        switch self {
        case .invalidName: "library.invalid-name"
        case .itemNotFound: "library.item-not-found"
        case .ambiguous: "library.ambiguous"
        case .recordingTooLong: "library.recording-too-long"
        case .textNotFound: "history.text-not-found"
        case .profileNotFound: "profile.not-found"
        case .profileNameTaken: "profile.name-taken"
        case .defaultProfileStays: "profile.default-stays"
        case .jobNotFound: "job.not-found"
        case .jobBusy: "job.busy"
        case .tooManyJobs: "job.too-many"
        case .entryNotFound: "queue.entry-not-found"
        case .documentNotFound: "document.not-found"
        case .ambiguousDocument: "document.ambiguous"
        case .documentThere: "document.there-already"
        case .batchBusy: "batch.busy"
        case .batchEntryNotFound: "batch.entry-not-found"
        case .narrationStopped: "batch.stopped"
        case .unknownSetting: "settings.unknown"
        case .invalidSetting: "settings.invalid"
        }
    }

    package var message: String {
        switch self {
        case .invalidName(.empty): "A name has at least one visible character."
        case .invalidName(.tooLong(let limit)): "A name has at most \(limit) characters."
        case .invalidName(.controlCharacter): "A name is one line without control characters."
        case .itemNotFound: "There is no such recording in the library."
        case .ambiguous(let count): "\(count) recordings begin with that."
        case .recordingTooLong: "The narration has become longer than one recording can be, which is 4 GiB of sound."
        case .textNotFound: "There is no such text in the history."
        case .profileNotFound: "There is no such voice profile."
        case .profileNameTaken: "Another voice profile has that name."
        case .defaultProfileStays: "The default voice profile cannot be deleted."
        case .jobNotFound: "There is no such unfinished narration."
        case .jobBusy: "That narration is being worked on just now."
        case .tooManyJobs(let limit): "\(limit) narrations are waiting already."
        case .entryNotFound: "There is no such entry in the queue."
        case .documentNotFound: "There is no such document in the library."
        case .ambiguousDocument(let count): "\(count) documents begin with that."
        case .documentThere(let name): "This very file is in the library already, as “\(name)”."
        case .batchBusy: "The batch is being worked on just now."
        case .batchEntryNotFound: "There is no such entry in the batch."
        case .narrationStopped: "This narration was stopped."
        case .unknownSetting(let name, _): "There is no setting called “\(name)”."
        case .invalidSetting(let name, let allowed): "The setting “\(name)” takes \(allowed)."
        }
    }

    package var suggestion: String? {
        switch self {
        case .invalidName: "The old name is kept. Give another one."
        case .itemNotFound: "“echotext library list” shows what there is."
        case .ambiguous: "Give more of the id or name."
        case .recordingTooLong: "Divide the text and narrate its parts one by one."
        case .textNotFound: "“echotext history list” shows what there is."
        case .profileNotFound: "“echotext profiles list” shows what there is."
        case .profileNameTaken: "Give it another name."
        case .defaultProfileStays: "Change its voice, speed or pitch instead."
        case .jobNotFound: "“echotext library jobs” shows what there is."
        case .jobBusy: "Wait until it is done, or stop it."
        case .tooManyJobs: "Wait until one is done, or stop some."
        case .entryNotFound: "“echotext queue list” shows what there is."
        case .documentNotFound: "“echotext documents list” shows what there is."
        case .ambiguousDocument: "Give more of the id or name."
        case .documentThere: "Use the one that is there, or say that it is to be kept once more."
        case .batchBusy: "Stop it where it is worked on, or wait until it is done."
        case .batchEntryNotFound: "“echotext batch --list” shows what there is."
        case .narrationStopped: "Go on with it among the unfinished narrations, or make it again."
        case .unknownSetting(_, let nearest?): "Do you mean “\(nearest)”?"
        case .unknownSetting: "“echotext settings list” shows all."
        case .invalidSetting: "The value it has is kept."
        }
    }
}
