internal import CProcess
internal import Foundation

/// The paths of this process's shared objects; a worker is the same program and needs the same objects.
enum LoadedLibraries {
    /// The folders outside `/usr`, `/lib` and `/lib64`, which every worker can read anyway; a library whose folder
    /// contains the person's home folder is listed as a file instead.
    static var folders: [String] {
        let found = paths.flatMap { [$0, URL(filePath: $0).resolvingSymlinksInPath().path] }
        return folders(of: found, home: NSHomeDirectory())
    }

    /// Returns the folders to make visible for `libraries`.
    ///
    /// - Parameters:
    ///   - libraries: Absolute paths.
    ///   - home: The person's home folder.
    /// - Returns: Folders, and libraries whose folder holds `home`, sorted.
    static func folders(of libraries: [String], home: String) -> [String] {
        var found: Set<String> = []
        for library in libraries where !["/usr/", "/lib/", "/lib64/"].contains(where: { library.hasPrefix($0) }) {
            guard let slash = library.lastIndex(of: "/") else { continue }
            let folder = String(library[..<slash])
            let holdsHome = folder.isEmpty || home == folder || home.hasPrefix(folder + "/")
            found.insert(holdsHome ? library : folder)
        }
        return found.sorted()
    }

    private static var paths: [String] {
        var paths: [String] = []
        withUnsafeMutablePointer(to: &paths) { paths in
            visit_loaded_objects(
                { path, paths in
                    guard let path else { return }
                    paths?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
                },
                paths
            )
        }
        return paths
    }
}
