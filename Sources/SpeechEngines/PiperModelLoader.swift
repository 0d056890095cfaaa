package import EchoText
import Foundation
import ONNXFormat

/// Opens Piper voices in this process: split, on ONNX Runtime, where possible, else whole with sherpa-onnx.
///
/// Either library may end its process on a bad model; open untrusted models only in a worker.
package struct PiperModelLoader: AcousticModelLoader {
    /// Increased when the same request sounds different, so that cached speech is not reused.
    package static let version = 2

    private let libraries: String?

    /// - Parameter libraries: The folder that holds both libraries, or `nil` for the system's search path.
    package init(libraries: String?) {
        self.libraries = libraries
    }

    package func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        let description = try PiperVoiceDescription(of: folder)
        var obstacle: ModelLayout.Obstacle
        switch layout {
        case .whole(let known): obstacle = known
        case .parts, nil:
            do {
                return try await model(in: folder, description, lanes: lanes, isChecked: layout != nil)
            } catch let found as ModelLayout.Obstacle {
                obstacle = found
            }
        }
        let sherpa = SherpaModelLoader(library: try SherpaLibrary(folder: libraries), obstacle: obstacle)
        return try await sherpa.open(folder, lanes: lanes, layout: layout)
    }

    private func model(
        in folder: VoiceFolder,
        _ description: PiperVoiceDescription,
        lanes: Int,
        isChecked: Bool
    ) async throws -> any AcousticModel {
        let library = try ONNXRuntimeLibrary(folder: libraries)
        let lanes = (0..<max(lanes, 1)).map { PiperLane(number: $0) }
        do {
            let parts = try await lanes[0].open {
                EngineProgress.report()
                return try Self.parts(of: folder, description, by: library, isChecked: isChecked)
            }
            return try PiperModel(folder, parts: parts, description: description, lanes: lanes)
        } catch is ONNXRuntimeError {
            throw ModelLayout.Obstacle.engine
        }
    }

    private static func parts(
        of folder: VoiceFolder,
        _ description: PiperVoiceDescription,
        by library: ONNXRuntimeLibrary,
        isChecked: Bool
    ) throws -> PiperParts {
        guard let model = try? Data(contentsOf: URL(filePath: folder.model), options: .alwaysMapped) else {
            throw VoiceFolderError.unreadableFile(folder.modelFile)
        }
        let graph: ONNXGraph
        do { graph = try ONNXGraph(model: model) } catch { throw ModelLayout.Obstacle.format }
        let environment = try ONNXEnvironment(library: library)
        let parts = try PiperParts(model: graph, in: environment) { model.releaseMemory() }
        guard !isChecked else { return parts }
        EngineProgress.report()
        let comparison = PiperComparison(
            parts: parts,
            whole: try ONNXSession(model: model, in: environment),
            table: try PiperVoiceDescription.symbols(of: folder),
            speakers: description.speakers
        )
        guard try comparison.holds() else { throw ModelLayout.Obstacle.difference }
        return parts
    }
}

extension Data {
    /// Lets the system reclaim the memory of a mapped file; it is read again on the next access.
    fileprivate func releaseMemory() {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            // A failure costs only memory.
            _ = madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, MADV_DONTNEED)
        }
    }
}
