/// Decodes each file by the decoder for its kind.
package struct CombinedSoundDecoder: SoundFileDecoder {
    private let simple: any SoundFileDecoder
    private let any: any SoundFileDecoder

    /// - Parameters:
    ///   - simple: Decodes kinds that ``SoundFileKind/isSimple``; refuses codecs that it does not know with
    ///     ``SoundImportError/unknownKind(found:)``.
    ///   - any: Decodes all kinds.
    package init(simple: any SoundFileDecoder, any: any SoundFileDecoder) {
        (self.simple, self.any) = (simple, any)
    }

    package func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        let kind = try await SoundFileKind(of: file)
        guard kind.isSimple else { return try await any.decode(file, track: track, take: take) }
        if let track, track != 1 {
            // Of these kinds, only Ogg can have several.
            guard kind == .ogg else { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
            return try await any.decode(file, track: track, take: take)
        }
        do {
            try await simple.decode(file, track: track, take: take)
        } catch SoundImportError.unknownKind {
            do {
                try await any.decode(file, track: track, take: take)
            } catch SoundImportError.programMissing {
                throw SoundImportError.unknownKind(found: nil)
            }
        }
    }
}
