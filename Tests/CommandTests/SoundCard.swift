import EchoTextTesting
import Foundation

/// A sound card that writes its output to a file without delay.
enum SoundCard {
    static let isThere: Bool = {
        guard let library = dlopen("libasound.so.2", RTLD_NOW) else { return false }
        dlclose(library)
        return true
    }()

    /// Configures a card in `folder` that writes to the file `heard`.
    ///
    /// - Returns: The value for `ALSA_CONFIG_PATH`.
    /// - Throws: Errors of the system.
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

    /// Configures a card in `folder` whose microphone reads the file `heard`: 16-bit samples, mono.
    ///
    /// - Returns: The value for `ALSA_CONFIG_PATH`.
    /// - Throws: Errors of the system.
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
