import EchoTextTesting
import Foundation

/// A sound card that writes what it plays into a file, as fast as it comes.
enum SoundCard {
    static let isThere: Bool = {
        guard let library = dlopen("libasound.so.2", RTLD_NOW) else { return false }
        dlclose(library)
        return true
    }()

    /// Describes the card in `folder`, which hears into the file `heard`.
    ///
    /// - Returns: What `ALSA_CONFIG_PATH` is to be.
    /// - Throws: What the system says.
    static func configuration(in folder: TemporaryFolder) throws -> String {
        try folder.write(
            """
            pcm.!default {
                type plug
                slave.pcm { type file slave.pcm { type null } file "\(folder("heard"))" format "raw" }
            }
            """,
            to: "asound.conf"
        )
    }

    /// Describes a card in `folder` whose microphone hears what is in the file `heard`: 16-bit samples, mono.
    ///
    /// - Returns: What `ALSA_CONFIG_PATH` is to be.
    /// - Throws: What the system says.
    static func microphone(in folder: TemporaryFolder, hearing heard: String) throws -> String {
        try folder.write(
            """
            pcm.!default {
                type plug
                slave.pcm {
                    type file slave.pcm { type null } file "/dev/null" infile "\(folder(heard))" format "raw"
                }
            }
            """,
            to: "asound.conf"
        )
    }
}
