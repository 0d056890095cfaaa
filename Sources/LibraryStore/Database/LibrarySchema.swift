import GRDB

/// The tables, and how they came to be.
enum LibrarySchema {
    /// Every step from an empty file to today's tables, oldest first.
    ///
    /// Append only: a step that has shipped is never edited, renamed or reordered. Steps are plain SQL, so that changing the
    /// code cannot change the past.
    static let steps: [(name: String, sql: String)] = [
        ("1 recordings", recordings), ("2 narrations", narrations), ("3 the rest", theRest),
        ("4 generation", generation), ("5 documents", documents),
        ("6 drafts", drafts), ("7 voices", voices),
        ("8 chance", chance), ("9 origin", origin),
        ("10 speech heard", speechHeard), ("11 services", services),
        ("12 practice", practice),
        ("13 lengths", lengths), ("14 draft", draft),
        ("15 heard", heard), ("16 consent", consent),
        ("17 starts", starts), ("18 hearing starts", hearingStarts),
        ("19 rate", rate), ("20 imported files", importedFiles),
        ("21 drafts of pages", pagesDrafts), ("22 left out", leftOut),
        ("23 shared files", sharedFiles), ("24 keys", keys),
        ("25 removed contents", removedContents), ("26 captions", captions),
        ("27 kept takes", keptTakes), ("28 ended sessions", endedSessions),
    ]

    static var migrator: DatabaseMigrator { migrator(of: steps[...]) }

    /// Brings a library as far as some of the steps do; tests make old ones by it.
    static func migrator(of steps: ArraySlice<(name: String, sql: String)>) -> DatabaseMigrator {
        // A library with rows whose owners are gone has to open, or it could not be repaired; no step makes such rows.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for step in steps { migrator.registerMigration(step.name) { try $0.execute(sql: step.sql) } }
        return migrator
    }

    /// Texts are blobs of UTF-8, because a text may have a NUL in it.
    private static let recordings = """
        CREATE TABLE content (
            id TEXT PRIMARY KEY CHECK (length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'),
            size INTEGER NOT NULL CHECK (size >= 0),
            headerHash BLOB NOT NULL CHECK (length(headerHash) = 32),
            length INTEGER NOT NULL CHECK (length >= 0)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE item (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            sortName TEXT NOT NULL,
            created REAL NOT NULL,
            duration REAL NOT NULL CHECK (duration >= 0),
            size INTEGER NOT NULL CHECK (size >= 0),
            sampleRate INTEGER NOT NULL CHECK (sampleRate > 0),
            voice TEXT NOT NULL,
            voiceName TEXT NOT NULL,
            speaker INTEGER NOT NULL CHECK (speaker >= 0),
            engine TEXT NOT NULL,
            language TEXT NOT NULL,
            speed REAL NOT NULL CHECK (speed > 0),
            pitch REAL NOT NULL CHECK (pitch > 0),
            words INTEGER NOT NULL CHECK (words >= 0),
            isFavorite INTEGER NOT NULL CHECK (isFavorite IN (0, 1)),
            document TEXT,
            documentPart TEXT CHECK (documentPart IS NULL OR document IS NOT NULL),
            content TEXT NOT NULL UNIQUE REFERENCES content (id)
        ) STRICT;
        CREATE INDEX itemByDate ON item (created, id, speed, pitch, duration, isFavorite, voice, document);
        CREATE INDEX itemByLength ON item (duration, created, id, speed, pitch, isFavorite, voice, document);
        CREATE INDEX itemByName ON item (sortName, created, id, speed, pitch, duration, isFavorite, voice, document);
        CREATE INDEX itemByVoice ON item (voice, voiceName, speed, pitch, duration, created, isFavorite, document);

        CREATE TABLE itemText (
            item INTEGER PRIMARY KEY REFERENCES item (key) ON DELETE CASCADE,
            timings BLOB NOT NULL,
            text BLOB NOT NULL
        ) STRICT;

        CREATE VIRTUAL TABLE search USING fts5 (
            name, text, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
        );
        """

    private static let narrations = """
        CREATE TABLE job (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            created REAL NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('open', 'stopped', 'failed')),
            failure TEXT,
            instructions BLOB NOT NULL,
            text BLOB NOT NULL
        ) STRICT;

        CREATE TABLE segment (
            job INTEGER NOT NULL REFERENCES job (key) ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 0),
            content TEXT NOT NULL UNIQUE REFERENCES content (id),
            samples INTEGER NOT NULL CHECK (samples >= 0),
            position INTEGER NOT NULL CHECK (position >= 0),
            nextSentence INTEGER NOT NULL CHECK (nextSentence >= 0),
            timings BLOB NOT NULL,
            PRIMARY KEY (job, number)
        ) STRICT, WITHOUT ROWID;
        """

    private static let theRest = """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            place INTEGER NOT NULL UNIQUE,
            spoken REAL NOT NULL,
            text BLOB NOT NULL
        ) STRICT;

        CREATE TABLE profile (
            id TEXT PRIMARY KEY CHECK (length(id) > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            foldedName TEXT NOT NULL UNIQUE,
            voice TEXT NOT NULL,
            speaker INTEGER NOT NULL CHECK (speaker >= 0),
            speed REAL NOT NULL CHECK (speed BETWEEN 0.5 AND 1.5),
            pitch REAL NOT NULL CHECK (pitch BETWEEN 0.5 AND 2)
        ) STRICT, WITHOUT ROWID;

        INSERT INTO profile (id, name, foldedName, voice, speaker, speed, pitch)
        VALUES ('default', 'Default', 'default', 'espeak/en-US', 0, 1, 1);

        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE state (
            name TEXT PRIMARY KEY CHECK (name IN ('queue', 'bookmark', 'profile')),
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Counts the uses that changed something, so that a machine knows an older copy when it sees one.
    private static let generation = """
        CREATE TABLE generation (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            number INTEGER NOT NULL CHECK (number >= 0)
        ) STRICT;
        INSERT INTO generation (one, number) VALUES (1, 0);
        """

    /// `documentSearch` has a row for each chunk of a text under the chunk's key, and one for each name under the document's
    /// key made negative.
    private static let documents = """
        CREATE TABLE document (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            sortName TEXT NOT NULL,
            added REAL NOT NULL,
            kind TEXT NOT NULL,
            size INTEGER NOT NULL CHECK (size >= 0),
            pages INTEGER NOT NULL CHECK (pages >= 1),
            chapters INTEGER NOT NULL CHECK (chapters >= 0),
            words INTEGER NOT NULL CHECK (words >= 0),
            length INTEGER NOT NULL CHECK (length >= 0),
            title TEXT,
            author TEXT,
            language TEXT,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            hasPicture INTEGER NOT NULL CHECK (hasPicture IN (0, 1))
        ) STRICT;
        CREATE INDEX documentByDate ON document (added, id);
        CREATE INDEX documentByDigest ON document (digest);

        CREATE TABLE documentPart (
            document INTEGER PRIMARY KEY REFERENCES document (key) ON DELETE CASCADE,
            structure BLOB NOT NULL,
            picture BLOB,
            selection BLOB
        ) STRICT;

        CREATE TABLE documentContent (
            document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
            part TEXT NOT NULL CHECK (part IN ('original', 'text')),
            content TEXT NOT NULL UNIQUE REFERENCES content (id),
            PRIMARY KEY (document, part)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE documentChunk (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
            start INTEGER NOT NULL CHECK (start >= 0),
            byte INTEGER NOT NULL CHECK (byte >= 0),
            UNIQUE (document, start)
        ) STRICT;

        CREATE VIRTUAL TABLE documentSearch USING fts5 (
            name, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
        );

        CREATE TABLE batchEntry (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            instructions BLOB NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'begun', 'done', 'failed')),
            narration TEXT,
            failure TEXT
        ) STRICT;

        CREATE TABLE speech (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            content TEXT NOT NULL UNIQUE REFERENCES content (id),
            size INTEGER NOT NULL CHECK (size >= 0),
            used INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX speechByUse ON speech (used);

        CREATE TABLE phrase (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            speech INTEGER NOT NULL REFERENCES speech (key) ON DELETE CASCADE,
            start INTEGER NOT NULL CHECK (start >= 0),
            samples INTEGER NOT NULL CHECK (samples >= 0),
            sampleRate INTEGER NOT NULL CHECK (sampleRate > 0),
            marks BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX phraseBySpeech ON phrase (speech);

        ALTER TABLE item ADD COLUMN documentSelection BLOB;
        """

    /// The keys of chunks that are in `documentSearch` before their document exists.
    private static let drafts = """
        CREATE TABLE documentDraft (
            first INTEGER PRIMARY KEY CHECK (first > 0),
            last INTEGER NOT NULL CHECK (last >= first)
        ) STRICT;
        """

    /// A person's choices about voices, also of those that are no longer installed.
    private static let voices = """
        CREATE TABLE voice (
            id TEXT PRIMARY KEY CHECK (length(id) > 0),
            isFavourite INTEGER NOT NULL CHECK (isFavourite IN (0, 1)),
            lastUsed REAL,
            speed REAL CHECK (speed > 0),
            setAside TEXT,
            installation BLOB
        ) STRICT, WITHOUT ROWID;
        """

    /// How much of a profile's voice is left to chance, and whether a person has made the default profile what it is.
    private static let chance = """
        ALTER TABLE profile ADD COLUMN liveliness REAL NOT NULL DEFAULT 1 CHECK (liveliness BETWEEN 0 AND 1.5);
        ALTER TABLE profile ADD COLUMN rhythm REAL NOT NULL DEFAULT 1 CHECK (rhythm BETWEEN 0 AND 1.5);
        ALTER TABLE profile ADD COLUMN isUntouched INTEGER NOT NULL DEFAULT 0 CHECK (isUntouched IN (0, 1));
        UPDATE profile SET isUntouched = 1
        WHERE id = 'default' AND voice = 'espeak/en-US' AND speaker = 0 AND speed = 1 AND pitch = 1;
        """

    /// Where a recording comes from; what only a narration has is there for narrations alone.
    ///
    /// An earlier version that is still running adds narrations without saying so, hence the default.
    ///
    /// SQLite cannot let a column be empty that must not be, so the table is rewritten. Its numbers continue, since a search's index
    /// must never see a key twice.
    private static let origin = """
        CREATE TABLE newItem (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            sortName TEXT NOT NULL,
            created REAL NOT NULL,
            duration REAL NOT NULL CHECK (duration >= 0),
            size INTEGER NOT NULL CHECK (size >= 0),
            sampleRate INTEGER NOT NULL CHECK (sampleRate > 0),
            language TEXT NOT NULL,
            words INTEGER NOT NULL CHECK (words >= 0),
            isFavorite INTEGER NOT NULL CHECK (isFavorite IN (0, 1)),
            origin TEXT NOT NULL DEFAULT 'narrated' CHECK (origin IN ('narrated', 'recorded', 'imported')),
            voice TEXT CHECK ((voice IS NOT NULL) = (origin = 'narrated')),
            voiceName TEXT CHECK ((voiceName IS NOT NULL) = (origin = 'narrated')),
            speaker INTEGER CHECK ((speaker IS NOT NULL) = (origin = 'narrated') AND speaker >= 0),
            engine TEXT CHECK ((engine IS NOT NULL) = (origin = 'narrated')),
            speed REAL CHECK ((speed IS NOT NULL) = (origin = 'narrated') AND speed > 0),
            pitch REAL CHECK ((pitch IS NOT NULL) = (origin = 'narrated') AND pitch > 0),
            document TEXT CHECK (document IS NULL OR origin = 'narrated'),
            documentPart TEXT CHECK (documentPart IS NULL OR document IS NOT NULL),
            documentSelection BLOB CHECK (documentSelection IS NULL OR document IS NOT NULL),
            content TEXT NOT NULL UNIQUE REFERENCES content (id)
        ) STRICT;
        INSERT INTO newItem
        SELECT key, id, name, sortName, created, duration, size, sampleRate, language, words, isFavorite, 'narrated', voice,
            voiceName, speaker, engine, speed, pitch, document, documentPart, documentSelection, content
        FROM item;
        INSERT INTO sqlite_sequence (name, seq) SELECT 'newItem', 0
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'newItem');
        UPDATE sqlite_sequence
        SET seq = max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'item'), 0)) WHERE name = 'newItem';
        DROP TABLE item;
        ALTER TABLE newItem RENAME TO item;
        CREATE INDEX itemByDate ON item (created, id, origin, speed, pitch, duration, isFavorite, voice, document);
        CREATE INDEX itemByLength ON item (duration, created, id, origin, speed, pitch, isFavorite, voice, document);
        CREATE INDEX itemByName ON item (
            sortName, created, id, origin, speed, pitch, duration, isFavorite, voice, document
        );
        CREATE INDEX itemByVoice ON item (
            voice, voiceName, origin, speed, pitch, duration, created, isFavorite, document
        );
        CREATE INDEX itemByOrigin ON item (
            origin, speed, pitch, duration, created, isFavorite, voice, document
        );
        """

    /// Sound that a person records, what is said in it, and what went to other machines.
    ///
    /// A session's latest chunks are in the database, where each is durable on its own; some 30 s of them at a time are moved to a
    /// sealed file, which is a `recordedSegment`. Together they have every sample from 0 on, each once.
    private static let speechHeard = """
        ALTER TABLE item ADD COLUMN source BLOB CHECK (source IS NULL OR origin <> 'narrated');
        ALTER TABLE item ADD COLUMN isTranscribed INTEGER NOT NULL DEFAULT 0
            CHECK (isTranscribed = 0 OR isTranscribed = 1 AND origin <> 'narrated');
        ALTER TABLE item ADD COLUMN transcriptsMade INTEGER NOT NULL DEFAULT 0 CHECK (transcriptsMade >= 0);
        CREATE INDEX itemBySize ON item (
            size, created, id, origin, speed, pitch, duration, isFavorite, voice, document
        );

        CREATE TABLE itemMark (
            key INTEGER PRIMARY KEY,
            item INTEGER NOT NULL REFERENCES item (key) ON DELETE CASCADE,
            sample INTEGER NOT NULL CHECK (sample >= 0),
            label TEXT
        ) STRICT;
        CREATE INDEX itemMarkByItem ON itemMark (item, sample);

        CREATE TABLE recordingSession (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            created REAL NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('recording', 'paused', 'interrupted')),
            instructions BLOB NOT NULL,
            marks BLOB NOT NULL,
            samples INTEGER NOT NULL DEFAULT 0 CHECK (samples >= 0),
            nextChunk INTEGER NOT NULL DEFAULT 0 CHECK (nextChunk >= 0)
        ) STRICT;

        CREATE TABLE recordedChunk (
            key INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES recordingSession (key) ON DELETE CASCADE,
            start INTEGER NOT NULL CHECK (start >= 0),
            samples INTEGER NOT NULL CHECK (samples > 0),
            sound BLOB NOT NULL CHECK (length(sound) = 2 * samples),
            UNIQUE (session, start)
        ) STRICT;

        CREATE TABLE recordedSegment (
            key INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES recordingSession (key) ON DELETE CASCADE,
            start INTEGER NOT NULL CHECK (start >= 0),
            samples INTEGER NOT NULL CHECK (samples > 0),
            content TEXT NOT NULL UNIQUE REFERENCES content (id),
            UNIQUE (session, start)
        ) STRICT;

        CREATE TABLE transcript (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            item INTEGER NOT NULL REFERENCES item (key) ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number > 0),
            created REAL NOT NULL,
            source BLOB NOT NULL,
            language TEXT NOT NULL,
            words INTEGER NOT NULL CHECK (words >= 0),
            isCurrent INTEGER NOT NULL CHECK (isCurrent IN (0, 1)),
            segments BLOB NOT NULL,
            UNIQUE (item, number)
        ) STRICT;
        CREATE UNIQUE INDEX transcriptIsCurrent ON transcript (item) WHERE isCurrent = 1;

        CREATE TABLE transcriptionJob (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            item INTEGER NOT NULL REFERENCES item (key) ON DELETE CASCADE,
            created REAL NOT NULL,
            instructions BLOB NOT NULL,
            state BLOB NOT NULL,
            recognizer INTEGER NOT NULL CHECK (recognizer >= 0),
            failures INTEGER NOT NULL CHECK (failures >= 0),
            progress REAL NOT NULL CHECK (progress >= 0),
            failure BLOB
        ) STRICT;
        CREATE INDEX transcriptionJobByItem ON transcriptionJob (item);

        CREATE TABLE transcribedSegment (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            job INTEGER NOT NULL REFERENCES transcriptionJob (key) ON DELETE CASCADE,
            segment BLOB NOT NULL
        ) STRICT;
        CREATE INDEX transcribedSegmentByJob ON transcribedSegment (job);

        CREATE TABLE outbound (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            time REAL NOT NULL,
            purpose TEXT NOT NULL,
            host TEXT NOT NULL,
            bytesSent INTEGER NOT NULL CHECK (bytesSent >= 0),
            seconds REAL,
            bytesReceived INTEGER NOT NULL CHECK (bytesReceived >= 0),
            outcome TEXT NOT NULL
        ) STRICT;
        """

    /// Services elsewhere that transcribe; `secret` is a key.
    private static let services = """
        CREATE TABLE service (
            name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 40),
            address TEXT NOT NULL,
            allowsPlain INTEGER NOT NULL CHECK (allowsPlain IN (0, 1)),
            model TEXT NOT NULL CHECK (length(model) > 0),
            language TEXT,
            prompt TEXT,
            secret TEXT CHECK (secret IS NULL OR length(secret) > 0)
        ) STRICT, WITHOUT ROWID;
        """

    /// Texts that a person practices, how that went, and what of them was hard.
    ///
    /// A session has the text that it is about, unless that is a document's, which never changes; of a take whose sound was thrown
    /// away, the score stays.
    private static let practice = """
        CREATE TABLE practiceSpeech (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            title TEXT NOT NULL CHECK (length(title) > 0),
            language TEXT NOT NULL,
            created REAL NOT NULL,
            updated REAL NOT NULL,
            text BLOB NOT NULL
        ) STRICT;
        CREATE INDEX practiceSpeechByDate ON practiceSpeech (updated, key);

        CREATE TABLE practiceSession (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            created REAL NOT NULL,
            updated REAL NOT NULL,
            isFinished INTEGER NOT NULL CHECK (isFinished IN (0, 1)),
            title TEXT NOT NULL,
            language TEXT NOT NULL,
            instructions BLOB NOT NULL,
            state BLOB NOT NULL,
            text BLOB
        ) STRICT;
        CREATE INDEX practiceSessionByDate ON practiceSession (isFinished, updated, key);

        CREATE TABLE practiceTake (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            session INTEGER NOT NULL REFERENCES practiceSession (key) ON DELETE CASCADE,
            created REAL NOT NULL,
            segment INTEGER NOT NULL CHECK (segment >= 1),
            repetition INTEGER NOT NULL CHECK (repetition >= 1),
            text BLOB NOT NULL,
            seconds REAL NOT NULL CHECK (seconds >= 0),
            points REAL CHECK (points BETWEEN 0 AND 1),
            pace REAL CHECK (pace >= 0),
            score BLOB CHECK (score IS NOT NULL OR points IS NULL AND pace IS NULL),
            content TEXT UNIQUE REFERENCES content (id)
        ) STRICT;
        CREATE INDEX practiceTakeBySession ON practiceTake (session, segment, key);

        CREATE TABLE hardSegment (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            digest TEXT NOT NULL UNIQUE CHECK (length(digest) > 0),
            due REAL NOT NULL,
            segment BLOB NOT NULL
        ) STRICT;
        CREATE INDEX hardSegmentByDate ON hardSegment (due, key);
        """

    /// How long the text of a narration is, in UTF-16 units; unknown of those that were begun before.
    private static let lengths = """
        ALTER TABLE job ADD COLUMN length INTEGER CHECK (length >= 0);
        """

    /// The text that is being written to be spoken.
    private static let draft = """
        CREATE TABLE draft (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            text BLOB NOT NULL CHECK (length(text) > 0)
        ) STRICT;
        """

    /// Where listening to a narration stopped, in seconds.
    private static let heard = """
        ALTER TABLE job ADD COLUMN heard REAL NOT NULL DEFAULT 0 CHECK (heard >= 0);
        """

    /// How often a person is asked before sound is sent, in words that cannot be read as their opposite.
    private static let consent = """
        UPDATE setting SET value = CASE value
            WHEN 'ask' THEN 'each-time' WHEN 'session' THEN 'once-per-session' WHEN 'always' THEN 'never-ask' ELSE value
        END WHERE name = 'transcription.consent';
        """

    /// How often a narration of the batch was begun without coming to an end, and how far it was then, in UTF-16 units.
    private static let starts = """
        ALTER TABLE batchEntry ADD COLUMN starts INTEGER NOT NULL DEFAULT 0 CHECK (starts >= 0);
        ALTER TABLE batchEntry ADD COLUMN reached INTEGER NOT NULL DEFAULT 0 CHECK (reached >= 0);
        """

    /// How often a transcription was begun without coming to an end while it got no further.
    private static let hearingStarts = """
        ALTER TABLE transcriptionJob ADD COLUMN starts INTEGER NOT NULL DEFAULT 0 CHECK (starts >= 0);
        """

    /// The rate at which a segment was heard before a take of it; unknown of those that were recorded before.
    private static let rate = """
        ALTER TABLE practiceTake ADD COLUMN rate REAL CHECK (rate BETWEEN 0.1 AND 1);
        """

    /// The files that recordings were imported from; one whose bytes are not kept is recognized by its digest.
    ///
    /// A file that is what is played, byte for byte, is not stored twice.
    private static let importedFiles = """
        CREATE TABLE itemFile (
            item INTEGER PRIMARY KEY REFERENCES item (key) ON DELETE CASCADE,
            size INTEGER NOT NULL CHECK (size >= 0),
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            content TEXT UNIQUE REFERENCES content (id),
            isSound INTEGER NOT NULL DEFAULT 0 CHECK (isSound = 0 OR isSound = 1 AND content IS NULL)
        ) STRICT;
        CREATE INDEX itemFileByDigest ON itemFile (size, digest);
        """

    /// The text that is being written on each page; the one with the highest place was saved last.
    private static let pagesDrafts = """
        ALTER TABLE draft RENAME TO formerDraft;
        CREATE TABLE draft (
            page TEXT PRIMARY KEY NOT NULL,
            place INTEGER NOT NULL UNIQUE,
            text BLOB NOT NULL CHECK (length(text) > 0)
        ) STRICT;
        INSERT INTO draft (page, place, text) SELECT '', 1, text FROM formerDraft;
        DROP TABLE formerDraft;
        """

    /// The first words of what could not be spoken, as JSON; none where everything was.
    private static let leftOut = """
        ALTER TABLE job ADD COLUMN leftOut BLOB;
        ALTER TABLE item ADD COLUMN leftOut BLOB;
        ALTER TABLE batchEntry ADD COLUMN leftOut BLOB;
        """

    /// Whether the bytes of an imported file are those that another recording's row of the same size and digest names.
    private static let sharedFiles = """
        ALTER TABLE itemFile ADD COLUMN isShared INTEGER NOT NULL DEFAULT 0 CHECK (isShared IN (0, 1));
        """

    /// The keys of the API for developers; of their texts only SHA-256 digests.
    private static let keys = """
        CREATE TABLE apiKey (
            name TEXT PRIMARY KEY NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            created REAL NOT NULL,
            lastUsed REAL
        ) STRICT;
        """

    /// Which sealed files may be removed: any other without a row may be of a newer database that a backup has replaced.
    private static let removedContents = """
        CREATE TABLE removedContent (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 32)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER contentRemoved AFTER DELETE ON content BEGIN
            INSERT OR IGNORE INTO removedContent (id) VALUES (old.id);
        END;
        """

    /// The captions of narrations that keep their times, as JSON; unknown of those that were made before.
    private static let captions = """
        ALTER TABLE itemText ADD COLUMN cues BLOB;
        """

    /// Whether takes were kept when a take came; of those that came before, the settings decide when they are scored.
    private static let keptTakes = """
        ALTER TABLE practiceTake ADD COLUMN isKept INTEGER NOT NULL DEFAULT 0 CHECK (isKept IN (0, 1));
        """

    /// The sessions that became recordings or were discarded, so that what a browser still has of one is unwanted.
    ///
    /// A session that an older backup does not know is not among them.
    private static let endedSessions = """
        CREATE TABLE endedSession (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
            ended REAL NOT NULL
        ) STRICT;
        """
}
