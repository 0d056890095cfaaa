import Foundation

/// Passes C copies of `strings`, ended by a null pointer, to `body`: a program's arguments, or its environment.
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

/// Passes C copies of Swift strings to `body`, and frees them when it returns.
///
/// For C structs with many `const char *` fields, where nesting `withCString` would hide the call. The pointers must not
/// outlive `body`; pass only to functions that copy what they keep.
package func withCStrings<Result>(_ body: (inout CStrings) throws -> Result) rethrows -> Result {
    var strings = CStrings()
    defer { strings.freeAll() }
    return try body(&strings)
}

package struct CStrings: ~Copyable {
    private var copies: [UnsafeMutablePointer<CChar>] = []

    fileprivate init() {}

    package mutating func copy(_ string: String) -> UnsafePointer<CChar> {
        guard let copy = strdup(string) else { fatalError("out of memory copying a C string") }
        copies.append(copy)
        return UnsafePointer(copy)
    }

    fileprivate mutating func freeAll() {
        for copy in copies { free(copy) }
        copies = []
    }
}
