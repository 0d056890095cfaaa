extension Voice.ID {
    /// The prefix of the names of folders and archives of neural voices.
    package static let folderPrefix = "vits-piper-"
    private static let engine = "piper/"

    /// The id of the neural voice in a folder: what follows `vits-piper-` in the folder's name, which distinguishes variants of one voice
    /// apart; the model's name in a folder that is called otherwise.
    ///
    /// - Parameters:
    ///   - folder: The folder's bare name.
    ///   - model: The model's file name without `.onnx`.
    package init(ofFolder folder: String, model: String) {
        let own = folder.hasPrefix(Self.folderPrefix) ? folder.dropFirst(Self.folderPrefix.count) : ""
        self.init(rawValue: Self.engine + (own.isEmpty ? model[...] : own))
    }

    /// The usual name of the folder of a neural voice with this id; `nil` for a voice of another engine.
    package var usualFolder: String? {
        guard rawValue.hasPrefix(Self.engine) else { return nil }
        let name = rawValue.dropFirst(Self.engine.count)
        return name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) ? nil : Self.folderPrefix + name
    }
}
