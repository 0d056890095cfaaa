internal import Foundation

/// The target that the variable `ECHOTEXT_FUZZ` names.
private let target: any FuzzTarget.Type = {
    let name = ProcessInfo.processInfo.environment["ECHOTEXT_FUZZ"] ?? ""
    guard let target = targets[name] else {
        print("ECHOTEXT_FUZZ is one of \(targets.keys.sorted().joined(separator: ", "))")
        exit(EX_USAGE)
    }
    return target
}()

/// Called first by libFuzzer or its substitute (`CReplay`): llvm.org/docs/LibFuzzer.html.
///
/// With the arguments `seeds FOLDER` the program writes the target's seeds there and exits.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    guard count.pointee == 3, let word = arguments.pointee[1], String(cString: word) == "seeds",
        let folder = arguments.pointee[2]
    else { return 0 }
    do {
        let place = URL(filePath: String(cString: folder), directoryHint: .isDirectory)
        for (number, seed) in try target.seeds.enumerated() {
            try Data(seed).write(to: place.appending(path: "seed-\(number)"))
        }
    } catch {
        fatalError("no seeds can be written: \(error)")
    }
    exit(EX_OK)
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(FuzzInput(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("thrown to nobody: \(error)")
    }
    return 0
}
