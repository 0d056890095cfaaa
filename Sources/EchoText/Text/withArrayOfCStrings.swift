import Foundation

/// Lends C copies of `strings`, ended by a null pointer, to `body`: a program's arguments, or its environment.
package func withArrayOfCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the array ends with a null pointer") }
        return body(base)
    }
}
