import EchoText
import Testing

@Suite("Names of voices' folders")
struct VoiceFolderNameTests {
    @Test(arguments: [
        ("piper/en_US-lessac-medium", "vits-piper-en_US-lessac-medium"), ("piper/", nil), ("espeak/en", nil),
        ("piper/a/b", nil), ("piper/a/\u{301}b", nil), ("piper/\u{0D4E}/b", nil),
    ])
    func `are one name to the system too`(id: String, folder: String?) {
        #expect(Voice.ID(rawValue: id).usualFolder == folder)
    }
}
