import EchoText
import Foundation

/// Where the list and the archives of a release are on a server.
struct ReleasePlace: Sendable {
    let list: URL
    private let archives: URL

    /// - Returns: `nil` for a folder, which is on no server.
    init?(_ release: CatalogueRelease, at address: CatalogueAddress) {
        switch address {
        case .folder: return nil
        case .mirror(let base):
            list = base.appending(path: "\(release.rawValue).json")
            archives = base.appending(path: release.rawValue)
        case .sherpaOnnx:
            guard let api = URL(string: "https://api.github.com/repos/k2-fsa/sherpa-onnx/releases/tags"),
                let files = URL(string: "https://github.com/k2-fsa/sherpa-onnx/releases/download")
            else { return nil }
            list = api.appending(path: release.rawValue)
            archives = files.appending(path: release.rawValue)
        }
    }

    /// Where the archive of a plain file name is.
    func archive(_ name: String) -> URL { archives.appending(path: name) }
}

/// The folder of a release's archives: the one named after the release when it is there, else the address's own.
struct ReleaseFolder: Sendable {
    let path: String

    /// - Throws: ``VoiceDownloadError/folderMissing``.
    init(_ release: CatalogueRelease, in folder: String) throws(VoiceDownloadError) {
        let own = "\(folder)/\(release.rawValue)"
        guard let path = [own, folder].first(where: Self.isFolder) else { throw .folderMissing }
        self.path = path
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
