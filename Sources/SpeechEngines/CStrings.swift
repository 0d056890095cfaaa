import Foundation

/// Passes C copies of Swift strings to `body`, and frees them when it returns.
///
/// For C structs with many `const char *` fields, where nesting `withCString` would hide the call. The pointers must not
/// outlive `body`; pass only to functions that copy what they keep.
func withCStrings<Result>(_ body: (inout CStrings) throws -> Result) rethrows -> Result {
    var strings = CStrings()
    defer { strings.freeAll() }
    return try body(&strings)
}

struct CStrings: ~Copyable {
    private var copies: [UnsafeMutablePointer<CChar>] = []

    fileprivate init() {}

    mutating func copy(_ string: String) -> UnsafePointer<CChar> {
        guard let copy = strdup(string) else { fatalError("out of memory copying a C string") }
        copies.append(copy)
        return UnsafePointer(copy)
    }

    fileprivate mutating func freeAll() {
        for copy in copies { free(copy) }
        copies = []
    }
}
