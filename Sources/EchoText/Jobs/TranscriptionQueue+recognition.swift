import OrderedCollections

extension TranscriptionQueue {
    /// Transcribes the missing rest of a recording, and makes a transcript of all segments.
    ///
    /// - Throws: What the recognizer, the consent and the library throw, and `CancellationError`.
    func transcribe(_ job: TranscriptionJob) async throws -> Transcript {
        let sound = try await library.audio.sound(of: job.item)
        let reader = try await RecordingReader(of: sound)
        let whole = try await part(of: job, in: reader)
        let start = max(job.progress, whole.lowerBound)
        if start < whole.upperBound {
            let opened = try await open(job, seconds: whole.upperBound - start, rate: reader.sampleRate)
            try await opened.closing {
                try await recognize(job, start..<whole.upperBound, of: reader, by: opened)
            }
        }
        return try await transcript(of: job, in: whole, digest: tools.digest(sound))
    }

    /// The part of the recording that a job hears.
    ///
    /// Where it goes into another version, it begins and ends in pauses; a job that is continued finds the same ones.
    private func part(of job: TranscriptionJob, in reader: RecordingReader) async throws -> Range<Double> {
        guard let range = job.order.range else { return 0..<reader.duration }
        guard let base = try await base(of: job) else { return range }
        return try await PauseSearch(in: reader, with: tools).part(around: range, between: base.segments)
    }

    /// The version that a part goes into; `nil` where there is none, or it was deleted.
    ///
    /// It is the current one where that comes of the ordered one, or has replaced it: what a person or another part has
    /// changed meanwhile stays.
    private func base(of job: TranscriptionJob) async throws -> Transcript? {
        guard job.order.range != nil, let ordered = job.order.base else { return nil }
        let versions = try await library.transcripts.versions(of: job.item)
        let current = versions.first(where: \.isCurrent)?.id
        var bases = Dictionary(versions.map { ($0.id, $0.source.base) }) { first, _ in first }
        let isThere = versions.contains { $0.id == ordered }
        var origin = current
        while let id = origin, id != ordered { origin = bases.removeValue(forKey: id) ?? nil }
        guard let wanted = isThere && origin == nil ? ordered : current else { return nil }
        do {
            return try await library.transcripts.transcript(wanted)
        } catch TranscriptError.notFound {
            // It has just been replaced.
            return try await base(of: job)
        }
    }

    /// Opens the job's current recognizer, after the person has allowed what it sends, and a segmenter.
    private func open(_ job: TranscriptionJob, seconds: Double, rate: Int) async throws -> OpenRecognition {
        guard let sending = try await tools.sending(job.asked, seconds)?.with(job.order.settings) else {
            return try await open(job, rate: rate)
        }
        let permit = try await consent.ask(sending, for: job.id) { await self.wait(for: sending, in: job.id) }
        if queue.jobs[job.id]?.status.sending != nil {
            queue.jobs[job.id]?.status.sending = nil
            try await noteStart(of: job.id)
            let running = try await library.transcriptions.update(job.id) { $0.state = .running }
            queue.jobs[job.id]?.status.job = running
            noteProgress(of: job.id)
            await publish(job.id)
        }
        return try await permit.use { try await open(job, rate: rate) }
    }

    private func open(_ job: TranscriptionJob, rate: Int) async throws -> OpenRecognition {
        try await tools.open(job.asked, job.order.settings, rate: rate) { session in
            var rules = SegmentationRules.whole(for: session)
            rules.includesSilence = !job.order.skipsSilence
            return rules
        }
    }

    private func wait(for sending: Sending, in id: TranscriptionJob.ID) async {
        queue.jobs[id]?.status.sending = sending
        // The person is asked in any case; the stored state only informs lists of jobs.
        if let job = try? await library.transcriptions.update(id, { $0.state = .waitingForConsent }) {
            queue.jobs[id]?.status.job = job
        }
        await publish(id)
    }

    private func recognize(
        _ job: TranscriptionJob,
        _ range: Range<Double>,
        of reader: RecordingReader,
        by opened: OpenRecognition
    ) async throws {
        let (id, library) = (job.id, library)
        // A paragraph of an earlier run may be continued.
        var paragraphs = TranscriptParagraphs()
        _ = paragraphs.beginnings(of: try await library.transcriptions.segments(of: id))
        queue.jobs[id]?.paragraphs = paragraphs
        let listener = TranscriptionRun.Listener(
            progress: { await self.reach($0, in: id) },
            keep: { segments, position in
                try await library.transcriptions.keep(segments, progress: position, for: id)
                await self.noteSegments(segments, in: id, at: position)
            }
        )
        // A service's speed says nothing of this machine's.
        let isMeasured = !job.asked.isOfService
        if isMeasured { beginMeasuring(id) }
        let elapsed = paceClock.stopwatch()
        do {
            try await TranscriptionRun(by: opened.session, lanes: lanes(), packsClips: true).recognize(
                RecordingClips(reader, range: range),
                by: opened.segmenter,
                offset: range.lowerBound,
                listener
            )
        } catch {
            if isMeasured { _ = endMeasuring(id) }
            throw error
        }
        guard isMeasured, endMeasuring(id) else { return }
        let length = range.upperBound - range.lowerBound
        await tools.paces.note(job.asked, length: length, took: elapsed() / .seconds(1))
    }

    private func transcript(
        of job: TranscriptionJob,
        in part: Range<Double>,
        digest: String
    ) async throws -> Transcript {
        let recognizers = try await tools.recognizer.recognizers()
        let recognizer = recognizers.first { $0.id == job.asked }
        var segments = try await library.transcriptions.segments(of: job.id)
        let base = try await base(of: job)
        if let base { segments = base.segments(replacing: part, by: segments) }
        let source = TranscriptSource(
            recognizer: job.asked,
            recognizerName: recognizer?.name,
            settings: job.order.settings,
            base: base?.id ?? job.order.base,
            range: job.order.range == nil ? nil : part,
            soundDigest: digest,
            insteadOf: job.replaced.map { queue.jobs[job.id]?.replaced ?? $0 }
        )
        // A part in another language does not change that of the whole.
        let said = base.flatMap { $0.language == "und" ? nil : $0.language } ?? job.order.settings.language
        let language = said ?? recognizer?.language(of: segments) ?? "und"
        return Transcript(item: job.item, created: now(), source: source, language: language, segments: segments)
    }

    private func reach(_ position: Double, in id: TranscriptionJob.ID) async {
        // The part that is heard may be longer than the one that was ordered.
        if let range = queue.jobs[id]?.status.range {
            queue.jobs[id]?.status.position = min(max(position, range.lowerBound), range.upperBound)
        }
        noteProgress(of: id)
        await publish(id)
    }

    private func noteSegments(_ segments: [TranscriptSegment], in id: TranscriptionJob.ID, at position: Double) async {
        queue.jobs[id]?.status.job.progress = position
        queue.jobs[id]?.status.job.failures = 0
        guard !segments.isEmpty, let item = queue.jobs[id]?.status.job.item,
            let beginnings = queue.jobs[id]?.paragraphs.beginnings(of: segments)
        else { return }
        await events.post(.recognized(segments, beginnings: beginnings, of: item))
    }
}
