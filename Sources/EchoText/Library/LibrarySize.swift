/// How much of the disk a library takes, by what is in it.
package struct LibrarySize: Sendable, Hashable {
    /// A kind of what a library holds.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The sound of what was recorded or imported.
        case recordings
        /// The files that recordings were imported from, as they came.
        case importedFiles
        /// The sound of narrations.
        case narrations
        /// Documents as they were given, and their texts.
        case documents
        /// What was recorded while practising.
        case takes
        /// Recordings and narrations that are not finished.
        case unfinished
        /// Speech that is remembered, and made again where it is missing.
        case speechCache
        /// Everything else: texts, transcripts, lists and settings, and the latest sound of unfinished recordings.
        case database
    }

    private let bytes: [Kind: Int]

    package init(_ bytes: [Kind: Int]) {
        self.bytes = bytes
    }

    /// The bytes that a kind takes on the disk.
    package subscript(_ kind: Kind) -> Int { bytes[kind] ?? 0 }

    /// In bytes.
    package var total: Int { bytes.values.reduce(0, +) }
}

/// Measures how much of the disk the library takes.
package protocol LibraryMeasure: Sendable {
    /// The size at one moment; files of which only part is written are not counted.
    func size() async throws -> LibrarySize
}
