/// An installed recognizer, or its error.
package struct InstalledRecognizer: Sendable, Hashable {
    /// The name of its folder, never a path.
    package let folder: String
    package let result: Result<LocalRecognizer, RecognitionError>
    /// How it was installed; `nil` for a folder that the person has put there.
    package let receipt: ModelReceipt?

    package init(folder: String, result: Result<LocalRecognizer, RecognitionError>, receipt: ModelReceipt?) {
        (self.folder, self.result, self.receipt) = (folder, result, receipt)
    }

    package var recognizer: LocalRecognizer? { try? result.get() }

    package static func == (one: Self, other: Self) -> Bool {
        one.folder == other.folder && one.recognizer == other.recognizer && one.receipt == other.receipt
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(folder) }
}

extension CatalogueEntry {
    /// Whether one of the recognizers that can be used is of the same model, by whatever name it came.
    package func isInstalled(among recognizers: [InstalledRecognizer]) -> Bool {
        let model = RecognizerTraits(ofModel: id.rawValue).model
        return recognizers.contains { one in
            one.recognizer != nil && RecognizerTraits(ofModel: one.folder).model == model
        }
    }
}

/// A model that was installed.
package enum AddedModel: Sendable, Hashable {
    case recognizer(LocalRecognizer)
    case speakers(SpeakerModel)
}

/// Changes the folder of the recognizers: the port to the disk.
///
/// A recognizer is installed completely or not at all, and only if it can be opened and used.
package protocol RecognizerInstaller: Sendable {
    /// Everything in the folder, by name.
    func installed() async throws -> [InstalledRecognizer]

    /// The models that tell speakers apart, the newest first.
    func speakerModels() async throws -> [SpeakerModel]

    /// Installs a recognizer or a diarization model from its download, which is removed afterwards.
    ///
    /// - Parameters:
    ///   - archive: A complete download.
    ///   - entry: The entry that it is of.
    ///   - report: Called at the beginning of each phase.
    /// - Returns: What was installed.
    /// - Throws: ``RecognitionError``, ``SpeakerError``, ``ModelInstallError``, or `CancellationError`.
    func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> AddedModel

    /// Installs a recognizer or diarization model from a person's archive, folder or model file, which stay unchanged.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - report: Called at the beginning of each phase.
    /// - Returns: What was installed.
    /// - Throws: As ``install(_:of:report:)``; ``SpeakerError``.
    func add(_ path: String, report: @Sendable (InstallPhase) async -> Void) async throws -> AddedModel

    /// Removes a recognizer, or a model that tells speakers apart.
    ///
    /// - Throws: ``RecognitionError/noSuchRecognizer(_:)``, ``ModelInstallError/cannotWrite``.
    func remove(_ id: Recognizer.ID) async throws

    /// Removes the remains of interrupted installations.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func sweep() async throws -> Int
}

/// Opens and tries a recognizer that is not installed yet, in a sandbox.
package protocol RecognizerExaminer: Sendable {
    /// - Throws: ``RecognitionError``, `CancellationError`.
    func examine(_ recognizer: LocalRecognizer) async throws
}
