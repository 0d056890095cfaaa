/**
 * The values that the server sends and takes, by the names of their schemas in openapi.json.
 *
 * Written by Scripts/api-schemas: change the Swift declarations or the description instead.
 */

export type SoundFormat = "wav" | "flac" | "mp3" | "opus" | "ogg" | "m4a";

export type ExportFormat = "wav" | "flac" | "mp3" | "opus" | "ogg" | "m4a" | "m4b" | "txt" | "md" | "docx" | "srt" | "vtt" | "csv" | "json" | "epub" | "chapters";

/** Has one of ids, documents and files. */
export interface ExportOrder {
  /** Recordings, in their order. */
  ids?: string[];
  format?: ExportFormat;
  sound?: SoundFormat;
  /** The texts and times that go with each sound; where several are joined, without md, docx and csv. */
  beside?: ("txt" | "md" | "docx" | "srt" | "vtt" | "csv" | "json")[];
  /** Whether paragraphs of transcripts say when they begin. */
  times?: boolean;
  /** Whether a table has a row for each word. */
  byWord?: boolean;
  /** Makes one file of them all, with this title and author; of one recording also an epub or its chapters, without them. */
  joined?: { title?: string; author?: string; };
  documents?: string[];
  /** Recordings whose files are wanted, as they came. */
  files?: string[];
}

/** A part of a recording that a listener can jump to. */
export interface Chapter {
  title: string;
  /** Seconds from the start. */
  start: number;
  /** Where in the text it begins, while it is still to be spoken. */
  ahead?: number;
}

/** A speech, with its text or, in a list, with the beginning of it. */
export interface Speech {
  id: string;
  title: string;
  /** Left out of a list. */
  text?: string;
  /** Only in a list. */
  excerpt?: string;
  /** A BCP 47 tag. */
  language: string;
  created: string;
  updated: string;
  /** Grapheme clusters of the text. */
  characters: number;
}

export interface Speeches {
  speeches: Speech[];
  /** How many more cannot be read. */
  unreadable: number;
  /** The most characters of a speech. */
  limit: number;
}

/** A closed range of segment numbers. */
export interface SegmentRange {
  /** From 1. */
  first: number;
  last: number;
}

export interface PracticeSettings {
  /** 0.5 is the voice's own pace. */
  rate: number;
  granularity: "sentence" | "paragraph";
  /** A pause as long as the segment, until the speaker falls silent, or none. */
  echo: "timed" | "wait" | "off";
  /** How long the pause is, in lengths of the segment. */
  factor: number;
  /** From 1 to 10. */
  repeats: number;
  /** Segments that are practiced again and again. */
  loop: SegmentRange | null;
  order: "listenAndRepeat" | "together" | "listenFirst";
  hidesText: boolean;
  /** Each repetition and pass is 0.05 faster. */
  faster: boolean;
  records: boolean;
  keepsTakes: boolean;
  earcon: boolean;
  vibration: boolean;
  pulse: boolean;
}

/** Some of the settings; the others stay. */
export interface PracticeChanges {
  /** 0.5 is the voice's own pace. */
  rate?: number;
  granularity?: "sentence" | "paragraph";
  /** A pause as long as the segment, until the speaker falls silent, or none. */
  echo?: "timed" | "wait" | "off";
  /** How long the pause is, in lengths of the segment. */
  factor?: number;
  repeats?: number;
  /** Segments that are practiced again and again. */
  loop?: SegmentRange | null;
  order?: "listenAndRepeat" | "together" | "listenFirst";
  hidesText?: boolean;
  /** Each repetition and pass is 0.05 faster. */
  faster?: boolean;
  records?: boolean;
  keepsTakes?: boolean;
  earcon?: boolean;
  vibration?: boolean;
  pulse?: boolean;
}

export interface PracticeSummary {
  /** Segments that were heard to their end. */
  segments: number;
  takes: number;
  /** The mean of the takes' scores. */
  score: number | null;
  /** The mean of the takes' words per minute. */
  pace: number | null;
  /** Its segment, by the last take. */
  best: { number: number; score: number; } | null;
  worst: { number: number; score: number; } | null;
  /** Time that was spent hearing and repeating. */
  seconds: number;
}

/** A practice session. */
export interface Practice {
  id: string;
  title: string;
  /** A BCP 47 tag. */
  language: string;
  voice: string;
  /** A speaker of the voice, from 0. */
  speaker: number;
  source: { kind: "text" | "speech" | "document" | "recording" | "history" | "hard"; id: string | null; selection: Selection | null; };
  settings: PracticeSettings;
  phase: "idle" | "playing" | "echo" | "paused" | "finished";
  /** The paused activity. */
  pausedIn: "playing" | "echo" | null;
  /** Why it paused by itself. */
  interruption: "hidden" | "deviceLost" | "locked" | null;
  /** All from 1. */
  position: { segment: number; repetition: number; pass: number; };
  segments: { known: number; isComplete: boolean; };
  /** The recognizer of the takes; null where none on this machine knows the language. */
  recognizer: string | null;
  created: string;
  updated: string;
  summary: PracticeSummary | null;
}

export interface Practices {
  sessions: Practice[];
  /** How many more cannot be read. */
  unreadable: number;
}

/** How the session stands, and what is to be done, in order; an action has only the fields that it needs. */
export interface PracticeOutcome {
  session: Practice;
  actions: ({ kind: "prepare" | "play" | "suspendPlayback" | "resumePlayback" | "stopPlayback" | "startEcho" | "suspendEcho" | "resumeEcho" | "stopEcho" | "signal" | "summarize"; token?: number; segment?: number; rate?: number; seconds?: number; longest?: number; keepsTake?: boolean; signal?: "segmentEnd" | "navigation" | "finished"; })[];
}

export interface PracticeSegments {
  segments: { number: number; text: string; paragraph: number; isHeading: boolean; isHard: boolean; }[];
  known: number;
  isComplete: boolean;
}

export interface SegmentTiming {
  seconds: number;
  words: Word[];
  /** Parts that were left out. */
  unspoken: string[];
}

export interface HeardTurn {
  /** Whether a detector of voices is there; loudness decides without one. */
  isDetected: boolean;
  /** Whether somebody has spoken and fallen silent. */
  isOver: boolean;
}

/** A take of a segment. */
export interface Take {
  id: string;
  session: string;
  created: string;
  segment: number;
  repetition: number;
  /** The rate at which the segment was heard before it. */
  rate: number | null;
  /** The segment's. */
  text: string;
  seconds: number;
  /** Whether it was analyzed, even if without a score. */
  isScored: boolean;
  /** From 0 to 1. */
  score: number | null;
  /** Words per minute. */
  pace: number | null;
  /** Whether its sound is stored. */
  hasSound: boolean;
}

export interface Takes {
  takes: Take[];
}

/** Times are in the take and in the segment's sound; pitch in hertz, loudness in dBFS. */
export interface TakeScore {
  /** The share of the words that were said, or of those that were heard where they are more; null without a recognizer. */
  score: number | null;
  /** Why there is no score. */
  reason: "noRecognizer" | "failed" | null;
  words: ({ kind: "said" | "missed" | "different"; from: number; to: number; heard: string | null; start: number | null; end: number | null; modelStart: number | null; modelEnd: number | null; })[];
  extra: ({ heard: string; after: number; start: number | null; end: number | null; })[];
  /** Words per minute. */
  pace: { take: number | null; model: number | null; };
  pauses: { take: { start: number; end: number; }[]; model: { start: number; end: number; }[]; };
  pitch: { step: number; take: (number | null)[]; model: (number | null)[]; };
  loudness: { step: number; take: number[]; model: number[]; };
  /** Whether its sound is still kept, now that it is scored. */
  hasSound: boolean;
}

/** A segment that is to be practiced again. */
export interface HardSegment {
  text: string;
  language: string;
  since: string;
  next: string;
  /** The score of the last take; null where a person marked it. */
  score: number | null;
}

export interface HardSegments {
  due: HardSegment[];
  /** How many are not due yet. */
  later: number;
  /** Those that are not due yet, the next first. */
  upcoming: HardSegment[];
}

/** A version of a transcript as lists show it. */
export interface TranscriptVersion {
  id: string;
  /** The recording's id. */
  item: string;
  /** From 1, in order of creation. */
  number: number;
  created: string;
  /** Null for a person's edit. */
  recognizer: string | null;
  recognizerName: string | null;
  /** The version that a person changed. */
  base: string | null;
  /** The part that was recognized again. */
  range: { start: number; end: number; } | null;
  /** A BCP 47 tag; `und` when unknown. */
  language: string;
  words: number;
  /** How many speakers diarization found in the base, if that is what made this version. */
  speakers: number | null;
  /** The changes that a person made to the base. */
  changes: TranscriptChanges | null;
  /** Whether it was heard while the recording was made. */
  isDraft: boolean;
  /** The recognizer in whose place another one made it; null once that was read. */
  insteadOf: FailedRecognizer | null;
  isCurrent: boolean;
}

export interface TranscriptVersions {
  versions: TranscriptVersion[];
}

/** A range of a recording with what was said in it. */
export interface TranscriptSegment {
  kind: "speech" | "silence" | "notUnderstood";
  /** In seconds. */
  start: number;
  end: number;
  /** Empty without speech. */
  text: string;
  words: Word[];
  timing: "words" | "tokens" | "segments" | "none";
  speaker: string | null;
  remark: "repeated" | "cutShort" | "edited" | null;
  /** Whether a paragraph begins with its words: another speaker's, or one after a long pause. */
  beginsParagraph: boolean;
  /** Where its line begins in the version's text, in UTF-16 units; left out during a transcription. */
  offset?: number;
}

export interface SpeakerSearch {
  transcript: string;
  item: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  /** The share of the work that is done, from 0 to 1. */
  progress: number;
  /** The version that names the speakers. */
  version: string | null;
  /** How many were found. */
  speakers: number | null;
  failure: Failure | null;
}

export interface Speakers {
  /** Whether there is a model of each kind. */
  isReady: boolean;
  models: ({ id: string; name: string; kind: "segmentation" | "embedding"; size: number; })[];
  /** The models that are missing, for download by /api/voices/downloads. */
  offers: SpeakerModelOffer[];
  searches: SpeakerSearch[];
}

export interface SpeakerModelOffer {
  /** What its download is called. */
  entry: string;
  kind: "segmentation" | "embedding";
  expectedBytes: number;
  download: DownloadState;
}

/** A version of a transcript with all that was said. */
export interface Transcript {
  id: string;
  /** The recording's id. */
  item: string;
  /** From 1, in order of creation. */
  number: number;
  created: string;
  recognizer: string | null;
  recognizerName: string | null;
  /** The version that a person changed. */
  base: string | null;
  language: string;
  /** How many speakers were found in the base, if that is what made this version of it. */
  speakers: number | null;
  changes: TranscriptChanges | null;
  /** Whether it was heard while the recording was made. */
  isDraft: boolean;
  insteadOf: FailedRecognizer | null;
  isCurrent: boolean;
  /** Words of less confidence are uncertain. */
  uncertainBelow: number;
  /** A line for each segment with words. */
  text: string;
  segments: TranscriptSegment[];
}

/** Adjacent words of a version. */
export interface TimedText {
  text: string;
  /** In seconds from the start of the recording. */
  start: number;
  end: number;
}

/** The differences between two versions of a transcript. */
export interface TranscriptDifferences {
  first: string;
  second: string;
  /** Words that only the first version has. */
  missing: number;
  /** Words that only the second version has. */
  added: number;
  /** All words of both versions, in order. */
  passages: ({ kind: "equal" | "replaced" | "missing" | "added"; first: TimedText | null; second: TimedText | null; })[];
}

export interface TranscriptHits {
  hits: { item: Recording; transcript: string; places: { seconds: number; text: string; from: number; to: number; }[]; isCut: boolean; }[];
  total: number;
}

/** The check of a narration for sentences that do not sound as they are written. */
export interface SpeechCheck {
  /** The narration. */
  item: string;
  state: "none" | "queued" | "running" | "done" | "failed";
  recognizer: string | null;
  recognizerName: string | null;
  /** From 0 to 1. */
  progress: number;
  /** Sentences that have been heard. */
  heard: number;
  /** Sentences of the narration. */
  sentences: number;
  /** Sentences that were found wrong. */
  found: number;
  failure: Failure | null;
  findings: SpeechFinding[];
}

/** A sentence that does not sound as it is written. */
export interface SpeechFinding {
  /** The number of the sentence, from 1. */
  number: number;
  kind: "missing" | "added" | "garbled";
  /** In seconds. */
  start: number;
  end: number;
  text: string;
  heard: string;
  /** The differing words in the text and in the transcript, in UTF-16 units. */
  differences: { from: number; to: number; heardFrom: number; heardTo: number; }[];
  /** Whether the sentence was synthesized and checked again since the check. */
  isSpokenAgain: boolean;
}

/** A sentence that was spoken again. */
export interface SpokenSentence {
  /** The recording as it is now. */
  item: Recording;
  /** The number of the sentence, from 1. */
  number: number;
  /** In seconds. */
  start: number;
  end: number;
  /** How far the times of all captions are kept, if each is to begin at its own. */
  times: { captions: number; late: number; seconds: number; } | null;
  /** Parts that were left out. */
  unspoken: string[];
  /** The check of the narration; a command makes none. */
  check: SpeechCheck;
}

/** The changes that a person made in a version of a transcript, compared with the one that it changes. */
export interface TranscriptChanges {
  /** How many words are new or gone, whichever are more. */
  words: number;
  /** The speakers that the other version does not have, in order. */
  speakers: string[];
}

/** A recognizer that was asked for a transcript, and why it has not made it. */
export interface FailedRecognizer {
  recognizer: string;
  /** The failure's code. */
  code: string;
  message: string;
  suggestion?: string;
}

export interface HeardSegments {
  segments: TranscriptSegment[];
}

/** A transcription that is under way, waits, has failed or was cancelled. */
export interface Transcription {
  id: string;
  /** The recording's id. */
  item: string;
  /** The recording's. */
  name: string;
  created: string;
  state: "queued" | "running" | "waiting-for-network" | "waiting-for-consent" | "retrying" | "failed" | "cancelled" | "done" | "gone";
  /** The recognizer that is asked. */
  recognizer: string;
  /** All that are asked, in this order. */
  recognizers: string[];
  language: string | null;
  /** Where the part of the recording begins that is to be transcribed, in seconds. */
  from: number;
  to: number;
  /** Up to where it has been heard, in seconds. */
  position: number;
  /** Its place among those that wait for the same recognizer, from 1. */
  place: number | null;
  tries: number;
  retryAt: string | null;
  failure: Failure | null;
  /** The sound that it waits to send to a service. */
  sending: Sending | null;
  /** The transcript that it has become. */
  transcript: string | null;
}

/** A failure: next to its subject, or as the whole answer. */
export interface Problem {
  /** Stable and dotted, for programs to match on. */
  code: string;
  /** English; the page translates it by the code. */
  message: string;
  suggestion: string | null;
  /** Seconds until a retry is useful. */
  retryAfter?: number;
  /** The file that was sent or named and that it is about. */
  file?: string;
}

/** Whether the library is locked, and what opens it. */
export interface Vault {
  state: "uninitialised" | "locked" | "unlocked" | "lockedOut" | "recoveryNeeded" | "readOnly";
  /** The credential that opens it, besides the recovery code; null before there is a library. */
  protection: "device" | "shortPasscode" | "password" | null;
  hasRecoveryCode: boolean;
  /** Whether this machine's secret is in its security chip. */
  usesSecurityChip: boolean;
  /** Seconds until another passcode is accepted. */
  retryAfter: number | null;
  /** The path of the library's folder. */
  folder: string | null;
  /** The path of the folder with this machine's secret. */
  deviceFolder: string | null;
}

/** The result of a check of the whole library. */
export interface VaultReport {
  /** Recordings with sound of their own. */
  items: number;
  /** Unfinished recordings. */
  sessions: number;
  /** Sealed files. */
  contents: number;
  /** The faults of the database, in English. */
  database: string[];
  /** The sealed files that are damaged or missing. */
  damaged: { item?: string; session?: string; name?: string; isCache: boolean; isImported: boolean; code: string; }[];
  /** Sound of unfinished recordings that is nowhere any more. */
  gaps: { session: string; name: string; seconds: number; duration: number; }[];
  /** Sealed files that nothing here needs, left where they are. */
  unused: number;
  /** How often each repair was done, by its code. */
  repairs: Record<string, number>;
  /** Removed files: those that nothing needed, and damaged ones of the cache. */
  removed: number;
  /** Whether a repair has left nothing damaged. */
  isRepaired: boolean;
  /** Whether nothing is damaged or lost. */
  isSound: boolean;
  /** Whether a repair finds something to do; what is lost stays lost. */
  canBeRepaired: boolean;
  /** Its lines in order: the faults, the leftovers, the repairs. */
  findings: ({ kind: "fault" | "leftover" | "repair"; code: string; message: string; name?: string; count?: number; seconds?: number; duration?: number; })[];
}

/** A line of the answer to a check: how much is done, or at last the report or why there is none. */
export interface VaultCheckLine {
  percent?: number;
  report?: VaultReport;
  failure?: Failure;
}

export interface State {
  vault: Vault;
  version: string;
  /** What proofs of `/api/proof` are compared with, in hexadecimal; only in the answer to `/api/state`. */
  proofKey?: string;
  /** Whether the open library is an older copy than this machine used last, and nobody has seen that on a page. */
  isOlder: boolean;
  wordLimit: number;
  speedRange: [number, number];
  pitchRange: [number, number];
  chanceRange: [number, number];
}

export interface Voice {
  id: string;
  name: string;
  /** BCP 47. */
  language: string;
  engine: "espeak-ng" | "sherpa-onnx";
  speakers: number;
  speakerNames: SpeakerNames;
  /** In hertz. */
  sampleRate: number;
  quality: string | null;
  variant: Variant;
  isFavorite: boolean;
}

/** How the model's numbers are kept; null for 32-bit floating point. */
export type Variant = "int8" | "fp16" | null;

export interface Storage {
  /** The path of the library's folder. */
  library: string | null;
  /** The path of the voices' folder. */
  voices: string;
  /** The path of the recognizers' folder. */
  recognizers: string;
  /** Of sound that is remembered. */
  speechBytes: number;
  libraryBytes: LibraryBytes;
}

/** The bytes that the library takes of the disk, by kind. */
export interface LibraryBytes {
  /** The sound of what was recorded or imported. */
  recordings: number;
  /** The files that recordings were imported from, as they came. */
  importedFiles: number;
  /** The sound of narrations. */
  narrations: number;
  /** Documents as they were given, and their texts. */
  documents: number;
  /** Sound that was recorded while practicing. */
  takes: number;
  /** Recordings and narrations that are not finished. */
  unfinished: number;
  /** Speech that is remembered, and made again where it is missing. */
  speechCache: number;
  /** Everything else: texts, transcripts, lists and settings. */
  database: number;
}

/** In the order of their numbers; null where the voice has no names for all of them. */
export type SpeakerNames = string[] | null;

/** The recognizers, and those that can be downloaded. */
export interface Recognizers {
  recognizers: Recognizer[];
  /** The ids that the person has put first. */
  order: string[];
  offers: RecognizerOffer[];
}

/** A recognizer that can be used. */
export interface Recognizer {
  id: string;
  name: string;
  engine: "sherpaOnnx" | "pocketSphinx" | "remote";
  /** BCP 47; `mul` for many. */
  languages: string[];
  /** The languages that it hears, BCP 47; empty where they are not known. */
  hears: string[];
  /** The seconds that it is expected to need for a second of speech; null where that is not known. */
  pace: number | null;
  /** Whether that was measured with it on this machine; else it is an estimate. */
  isPaceMeasured: boolean;
  /** How exactly it knows when something was said. */
  timing: "words" | "tokens" | "segments" | "none";
  takesLanguage: boolean;
  takesHotwords: boolean;
  takesPrompt: boolean;
  /** Bytes on this disk; null for a service. */
  size: number | null;
  /** Whether it is asked first. */
  isDefault: boolean;
}

/** A recognizer that can be downloaded. */
export interface RecognizerOffer {
  /** The id of its download. */
  entry: string;
  name: string;
  languages: string[];
  /** The languages that it hears, BCP 47; empty where they are not known. */
  hears: string[];
  /** The seconds that it is expected to need for a second of speech; null where that is not known. */
  pace: number | null;
  /** Whether that was measured with it on this machine; else it is an estimate. */
  isPaceMeasured: boolean;
  /** Why it is recommended. */
  reason: "quick" | "balanced" | "best" | null;
  /** The download's size, if known. */
  archiveBytes: number | null;
  /** The same, or an estimate. */
  expectedBytes: number;
  download: DownloadState;
}

/** The state of a download. */
export interface DownloadState {
  state: "none" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed";
  bytes: number | null;
  /** Bytes. */
  total: number | null;
  /** Bytes per second. */
  rate: number | null;
  secondsLeft: number | null;
  /** Set when it failed. */
  failure: Failure | null;
}

/** The state of a download. */
export interface Download {
  /** The catalogue's entry; left out where it is known. */
  entry: string;
  state: "none" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed";
  bytes: number | null;
  /** Bytes. */
  total: number | null;
  /** Bytes per second. */
  rate: number | null;
  secondsLeft: number | null;
  /** Set when it failed. */
  failure: Failure | null;
}

export interface InstalledVoice {
  /** On disk. */
  bytes: number;
  /** Its name. */
  folder: string;
  /** The licence of its files. */
  licence: { name: string; isCommercial: boolean | null; } | null;
  /** Its source. */
  url: string | null;
  installedAt: string | null;
}

/** A voice that is built in, installed or in the catalogue. */
export interface VoiceListing {
  id: string;
  name: string;
  /** BCP 47; `und` when it is unknown. */
  language: string;
  engine: "espeak-ng" | "sherpa-onnx";
  isBuiltIn: boolean;
  /** Its entry in the catalogue; null for a voice that is built in or that the person has added. */
  entry: string | null;
  /** `x_low`, `low`, `medium`, `high`, or the maker's own word. */
  quality: string | null;
  /** The format of its weights; null for the usual one. */
  variant: "int8" | "fp16" | null;
  speakers: number | null;
  /** In order; null if the voice has none. */
  speakerNames: string[] | null;
  /** In hertz. */
  sampleRate: number | null;
  /** The download's size, if known. */
  archiveBytes: number | null;
  /** A guess where `archiveBytes` is null. */
  expectedBytes: number | null;
  /** Whether a SHA-256 of the archive is known, which a download is compared with; else only its sender vouches for it. */
  hasChecksum: boolean;
  /** `faulty`: it is here, and cannot speak or is not as it was installed. */
  availability: "ready" | "faulty" | "absent";
  /** Why it is faulty. */
  problem: Failure | null;
  download: DownloadState;
  /** Null for a voice that is built in or absent. */
  installed: InstalledVoice | null;
  isFavorite: boolean;
  lastUsed: string | null;
  /** Seconds of speech that a second of this machine has made. */
  speed: number | null;
  /** Whether it speaks when none is named. */
  isSelected: boolean;
}

/** A voice that was here as a whole, and is gone or damaged. */
export interface VoiceLoss {
  voice: string;
  name: string;
  entry: string | null;
  failure: Failure;
}

export interface VoiceListings {
  /** The built-in voices, then the others by id. */
  voices: VoiceListing[];
  /** When the catalogue was refreshed. */
  refreshedAt: string | null;
  /** Whether nothing can be downloaded; a folder works offline. */
  isOffline: boolean;
  source: "sherpaOnnx" | "mirror" | "folder";
  /** Listed until they are dismissed. */
  losses: VoiceLoss[];
}

/** A failure: next to its subject, or as the whole answer. */
export interface Failure {
  /** Stable and dotted, for programs to match on. */
  code: string;
  /** English; the page translates it by the code. */
  message: string;
  suggestion: string | null;
}

/** Speech that is being made; it becomes a recording with the same id. */
export interface Narration {
  id: string;
  name: string;
  state: "waiting" | "speaking" | "stopped" | "failed" | "finished";
  voice: string;
  voiceName: string;
  speaker: number;
  speed: number;
  pitch: number;
  created: string;
  /** UTF-16 units of the text. */
  characters: number;
  /** UTF-16 units that have been spoken. */
  position: number;
  /** How many have been spoken. */
  sentence: number;
  /** How many it has; an estimate. */
  sentences: number | null;
  /** The length of the sound that has been made. */
  seconds: number;
  /** An estimate. */
  secondsLeft: number | null;
  sampleRate: number;
  /** The first words of what could not be spoken and was left out; 20 at most. */
  unspoken: string[];
  /** How far the times of captions have been kept since the server began or continued it. */
  times: { captions: number; late: number; seconds: number; } | null;
  failure: Failure | null;
  /** The document that it is spoken from. */
  document: DocumentLink | null;
  /** Those of its text, in the answer to a request that has the text. */
  paragraphs?: Paragraph[];
}

/** When a word is heard: one of a narration, of a transcript, or of a segment that is practiced. */
export interface Word {
  /** In seconds from the start of the sound. */
  start: number;
  end: number;
  /** Its range in the text that it comes with, in UTF-16 units. */
  from: number;
  to: number;
  /** Whether an engine or a recognizer reported the time. */
  precision: "exact" | "estimated";
  /** From 0 to 1; left out if no recognizer said so. */
  confidence?: number;
}

export interface Sentence {
  /** In seconds from the start of the sound. */
  start: number;
  end: number;
  /** Its range in the text, in UTF-16 units. */
  from: number;
  to: number;
  words: Word[];
}

/** When the sentences of a recording or a narration are heard. */
export interface Timings {
  sampleRate: number;
  /** Oldest first. */
  sentences: Sentence[];
}

export interface NarrationPlace {
  seconds: number;
}

/** The text of a recording or a narration. */
export interface ItemText {
  text: string;
  paragraphs: Paragraph[];
}

/** A paragraph of a text, with its range in UTF-16 units; white space around it is not in it. */
export interface Paragraph {
  from: number;
  to: number;
  isHeading: boolean;
}

export interface Text {
  text: string;
}

/** The document, or the part of one, that a recording was made from. */
export interface DocumentLink {
  /** The document's id; the document may have been deleted. */
  id: string;
  /** Which part, in words: “Chapter 3”, “pages 4–9”. */
  part?: string;
  /** The selection of the document, which maps its text to the recording's. */
  selection?: Selection;
}

/** Where a search found its words. */
export interface Place {
  seconds: number;
  excerpt: string;
  /** Where the found words begin in the excerpt, in UTF-16 units. */
  from: number;
  to: number;
}

export type RecordingState = "recording" | "paused" | "interrupted";

/** A mark of a recording, or of a recording session. */
export interface RecordingMark {
  seconds: number;
  label: string | null;
}

/** A recording session. */
export interface RecordingSession {
  /** The recording's, once it is one. */
  id: string;
  name: string;
  /** A BCP 47 tag; und when it is not known. */
  language: string;
  /** In hertz. */
  sampleRate: number;
  state: RecordingState;
  samples: number;
  seconds: number;
  /** The number of the first chunk that is not there. */
  nextChunk: number;
  /** Sorted by time. */
  marks: RecordingMark[];
  device: string | null;
  created: string;
  /** Whether it can only be discarded, as it is damaged. */
  isUnreadable: boolean;
  /** Whether it is the beginning of an imported file. */
  isOfFile: boolean;
}

export interface RecordingSessions {
  sessions: RecordingSession[];
}

export interface ChunkReceipt {
  nextChunk: number;
  /** How long the session is. */
  seconds: number;
  /** In how many seconds of recording the disk will be full. */
  remaining: number | null;
  /** For how many seconds the machine slept before the chunk. */
  slept: number;
}

/** A recording. */
export interface Recording {
  id: string;
  name: string;
  created: string;
  /** In seconds. */
  duration: number;
  /** Bytes of sound. */
  size: number;
  /** Hertz. */
  sampleRate: number;
  /** A BCP 47 tag; und when it is not known. */
  language: string;
  words: number;
  isFavorite: boolean;
  origin: Origin;
  /** Whether it has a transcript; a narration's text needs none. */
  isTranscribed: boolean;
  /** Bytes of the file that it was imported from, if the library has that as it came. */
  fileSize: number | null;
  /** How a voice spoke it; null for other origins. */
  narration: RecordingNarration | null;
  /** Where its sound is from; left out of a narration. */
  source?: { name?: string; made?: string; lost: [number, number][]; fileSize?: number; track?: number; };
  /** Where the search words are spoken. */
  place: Place | null;
}

export type Origin = "narrated" | "recorded" | "imported";

/** How a narration was spoken. */
export interface RecordingNarration {
  voice: string;
  voiceName: string;
  speaker: number;
  engine: "espeak-ng" | "sherpa-onnx";
  speed: number;
  pitch: number;
  document: DocumentLink | null;
  unspoken?: string[];
}

/** Some of the recordings that match. */
export interface Recordings {
  items: Recording[];
  total: number;
  /** How many more items match but cannot be read. */
  unreadable: number;
}

export interface NamedVoice {
  id: string;
  name: string;
  quality: string | null;
  variant: Variant;
}

/** An entry of the queue; a recording may have several. */
export interface Entry {
  id: string;
  /** The recording; an entry whose recording was deleted is only in a command's list. */
  item: Recording;
}

/** Where listening stopped. */
export interface Bookmark {
  item: Recording;
  /** In seconds. */
  position: number;
  made: string;
  /** The query of the list that it was played from, which continues after it. */
  list: string | null;
}

/** What plays after the recording: the query of `GET /api/library` for the list that it was played from, with its place in it as `offset`. */
export type PlayedList = string | null;

/** The queue, and where listening stopped. */
export interface Playback {
  /** In the order in which they are played. */
  entries: Entry[];
  /** The current entry's id. */
  current: string | null;
  bookmark: Bookmark | null;
  /** Whether the place where listening stopped is lost. */
  isBookmarkLost: boolean;
  /** Its recording's name, if that is gone and known. */
  lostName: string | null;
  /** Whether the queue cannot be read, and takes no entries until it is emptied. */
  isUnreadable: boolean;
  /** How many entries cannot be read and are left out. */
  unreadable: number;
}

/** A text that was spoken lately. */
export interface HistoryEntry {
  id: number;
  text: string;
  words: number;
  spoken: string;
}

/** The texts that were spoken lately, newest first. */
export interface History {
  /** Newest first. */
  entries: HistoryEntry[];
  /** The damaged ones, which can be deleted. */
  unreadable: number[];
  /** How many are kept. */
  limit: number;
}

/** A voice with the way it speaks, under a name. */
export interface Profile {
  /** `default` always exists. */
  id: string;
  name: string;
  voice: string;
  /** The voice's name, also when the voice is not installed any more. */
  voiceName: string;
  speaker: number;
  /** Left out where the voice's speakers have no names, or the voice is not installed any more. */
  speakerName?: string;
  /** As a factor of normal. */
  speed: number;
  /** As a factor of normal. */
  pitch: number;
  /** How much a natural voice varies, as a factor of normal. */
  liveliness: number;
  /** How much the length of its sounds varies, as a factor of normal. */
  rhythm: number;
}

export interface Profiles {
  profiles: Profile[];
  chosen: string;
  isStandIn: boolean;
  /** How many more cannot be read. */
  unreadable: number;
}

/** Sound that is to be sent, as a person is asked about it and repeats it in the answer. */
export interface Sending {
  /** The server, with the port where it is not the usual one. */
  host: string;
  /** Which part of the server is asked. */
  path: string;
  isEncrypted: boolean;
  /** Whether others can read it on its way to another machine. */
  isReadable: boolean;
  /** Whether hotwords or a prompt go along. */
  sendsWords: boolean;
  bytes: number;
  seconds: number;
}

/** A service without its key, which leaves the library only to the service itself. */
export interface TranscriptionService {
  name: string;
  address: string;
  host: string;
  /** Whether sound may be sent to another machine over http. */
  allowsPlain: boolean;
  isOnThisMachine: boolean;
  model: string;
  /** BCP 47. */
  language: string | null;
  prompt: string | null;
  hasKey: boolean;
  /** The sound that a test of the service sends. */
  trial: Sending;
}

export interface TranscriptionServices {
  services: TranscriptionService[];
  /** How many more cannot be read. */
  unreadable: number;
}

/** The result of a test of a service. */
export interface ServiceTrial {
  /** The text that it recognized, which may be empty. */
  text: string;
}

/** A key of the API for developers; its text is in none but the answer that makes it. */
export interface APIKey {
  /** Unique among the keys. */
  name: string;
  created: string;
  /** To the minute; left out for a key that no program has used. */
  lastUsed?: string;
}

export interface APIKeys {
  keys: APIKey[];
  /** How many more cannot be read, and open nothing. */
  unreadable: number;
}

/** A key that was just made. */
export interface CreatedAPIKey {
  name: string;
  /** The key itself, which no other answer has. */
  key: string;
}

/** A connection to another machine. */
export interface OutboundRecord {
  time: string;
  purpose: "catalogue" | "voice" | "recogniser" | "transcription";
  host: string;
  /** The bytes of a person's own sound. */
  bytesSent: number;
  /** The length of the sound that was sent. */
  seconds: number | null;
  bytesReceived: number;
  outcome: "begun" | "answered" | "refused" | "failed";
}

export interface OutboundRecords {
  records: OutboundRecord[];
}

/** A setting with everything needed to draw a control for it; values are always text. */
export interface Setting {
  /** Dotted, “playback.step”. */
  name: string;
  /** English. */
  summary: string;
  /** English. */
  allowed: string;
  /** The default. */
  standard: string;
  /** Always text: “15”, “on”, “dark”. */
  value: string;
  kind: "number" | "integer" | "switch" | "choice" | "text";
  range: [number, number] | null;
  unit: string | null;
  choices: string[] | null;
}

/** What of a document is spoken; all of it where neither pages nor chapters are named. */
export interface Selection {
  /** Numbers and ranges, such as 3-7,9. */
  pages?: string;
  /** As pages; counted as the structure does. */
  chapters?: string;
  spokenRoles?: ("header" | "footer" | "pageNumber" | "footnote" | "footnoteReference" | "nonLinear")[];
  putBack?: number[];
  leftOut?: [number, number][];
}

/** A notice as programs read it. */
export interface Notice {
  code: string;
  message: string;
  /** All pages that it is about. */
  pages?: number[];
  /** How many of what it is about, where that is not pages. */
  count?: number;
  encoding?: string;
}

/** Where a search found its words. */
export interface DocumentPlace {
  from: number;
  to: number;
  excerpt: string;
  page: number;
}

/** A document. */
export interface Document {
  id: string;
  name: string;
  added: string;
  kind: "pdf" | "epub" | "text" | "markdown" | "srt" | "vtt";
  /** Bytes of its file. */
  size: number;
  /** At least 1. */
  pages: number;
  chapters: number;
  words: number;
  /** UTF-16 units of its text. */
  length: number;
  /** From the document itself. */
  title: string | null;
  author: string | null;
  /** A BCP 47 tag. */
  language: string | null;
  /** Whether there is a thumbnail. */
  hasPicture: boolean;
  fileName: string;
  /** The place of the search match. */
  place: DocumentPlace | null;
}

export interface Documents {
  documents: Document[];
  total: number;
  /** How many more documents match but cannot be read. */
  unreadable: number;
}

/** The import of a document. */
export interface Import {
  document: Document;
  notices: Notice[];
  isReused: boolean;
}

/** The import of a file with sound. */
export interface SoundImport {
  item: Recording;
  notices: SoundNotice[];
  /** Whether it was there already, and nothing was added. */
  isReused: boolean;
}

export interface SoundNotice {
  code: string;
  message: string;
  /** How many sound tracks there are. */
  count?: number;
  /** The one that was taken, from 1. */
  track?: number;
  /** How much sound the file says it holds. */
  statedSeconds?: number;
  /** How much was taken. */
  seconds?: number;
  /** The most bytes of a file that is kept as it came. */
  limit?: number;
}

/** The structure of a document; its text, blocks and marks are requested by ranges. */
export interface Structure {
  kind: "pdf" | "epub" | "text" | "markdown" | "srt" | "vtt";
  title: string | null;
  author: string | null;
  language: string | null;
  length: number;
  pages: ({ number: number; label: string | null; from: number; to: number; })[];
  chapters: { number: number; title: string; level: number; from: number; to: number; }[];
  /** How many marks of each role there are. */
  marks: Record<string, number>;
  notices: Notice[];
}

export interface Passage {
  from: number;
  to: number;
  /** Of the whole text. */
  length: number;
  text: string;
  blocks: ({ kind: "heading" | "listItem" | "tableRow" | "caption" | "altText" | "quotation" | "code"; level: number; from: number; to: number; })[];
  marks: ({ index: number; role: "header" | "footer" | "pageNumber" | "footnote" | "footnoteReference" | "nonLinear"; from: number; to: number; })[];
}

export interface Places {
  places: { from: number; to: number; page: number; }[];
  isCut: boolean;
}

/** The spoken part of a document, and the omissions. */
export interface Spoken {
  /** The words for the selection; null for the whole document. */
  part: string | null;
  /** How many are selected, in whole or in part. */
  pages: number;
  words: number;
  /** UTF-16 units of the spoken text. */
  characters: number;
  /** The selected ranges. */
  scopes: { from: number; to: number; }[];
  pieces: { spoken: number; from: number; to: number; }[];
  omissions: ({ from: number; to: number; mark: number | null; role: "header" | "footer" | "pageNumber" | "footnote" | "footnoteReference" | "nonLinear" | null; })[];
}

/** An unfinished narration. */
export interface UnfinishedNarration {
  /** The narration; absent if it was never begun. */
  id: string | null;
  /** The entry of the batch that failed with it. */
  entry: number | null;
  name: string;
  reason: "interrupted" | "stopped" | "failed";
  failure: Failure | null;
  voiceName: string;
  created: string | null;
  /** UTF-16 units of the text, where that is known. */
  characters: number | null;
  /** UTF-16 units that have been spoken. */
  position: number;
  /** The length of the sound that is stored. */
  seconds: number;
  document: DocumentLink | null;
}

/** An entry of the batch. */
export interface BatchEntry {
  id: number;
  /** Its number in the batch, from 1. */
  number: number;
  document: string | null;
  part: string | null;
  name: string;
  state: "waiting" | "begun" | "done" | "failed";
  /** The narration, and the recording that it becomes. */
  narration: string | null;
  failure: Failure | null;
  /** The first words of what could not be spoken and was left out, once it has ended. */
  unspoken: string[];
}

export interface Batch {
  entries: BatchEntry[];
  total: number;
  done: number;
  failed: number;
  current: number;
  isRunning: boolean;
  isFinished: boolean;
  /** Why the batch is stopped although entries are left. */
  failure: Failure | null;
}
