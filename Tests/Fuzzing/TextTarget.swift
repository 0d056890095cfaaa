#if TESTABLE
internal import EchoText
internal import Foundation

@testable internal import DocumentReaders

/// Plain text and Markdown of any encoding, in pieces of any length.
enum TextTarget: FuzzTarget {
    /// The kind of document, the length of the pieces, and the text.
    static var seeds: [[UInt8]] {
        let prose = """
            CHAPTER ONE\r\n\r\nIt was a dark and stormy night; the rain fell in tor-
            rents, except at occasional intervals, when it was checked by a gust
            of wind which swept up the streets. É “quoted” text, 日本語.\u{C}Next page.

              1. An indented list

            """
        let markdown = """
            ---
            title: A title
            lang: en
            ---
            # Heading

            > > * one *two* `three` [link](http://a) ![picture](b.png)
            1. item

            | a | b |
            |---|---|
            | 1 | 2 |

            ```
            code
            ```
            text[^1] <b>html</b> &amp; ~~gone~~

            [^1]: note
            """
        let encodings: [String.Encoding] = [
            .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .windowsCP1252, .shiftJIS, .windowsCP1251,
        ]
        return encodings.flatMap { encoding -> [[UInt8]] in
            guard let bytes = prose.data(using: encoding, allowLossyConversion: true) else { return [] }
            return [[0, 5] + bytes, [0, 200] + bytes]
        } + [[1, 0] + Array(markdown.utf8)]
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        let isMarkdown = input.byte() & 1 == 1
        let step = max(Int(input.byte()), 1)
        let file = DocumentFile(name: "a", bytes: Data(input.rest))
        let text = try read { isMarkdown ? try MarkdownReader().read(file) : try TextReader().read(file) }
        if let text { demand(text.invariantViolation == nil, "\(text.invariantViolation ?? "")") }
        guard !isMarkdown else { return }
        let inPieces = try read { try read(input.rest, by: step) }
        demand(inPieces == text, "where a text is cut changes nothing")
    }

    private static func read(_ reading: () throws -> DocumentText) throws -> DocumentText? {
        do {
            return try reading()
        } catch is DocumentError {
            return nil
        }
    }

    private static func read(_ bytes: ArraySlice<UInt8>, by step: Int) throws -> DocumentText {
        var (rest, text) = (bytes, [UInt8]())
        let structure = try TextReader().read {
            guard !rest.isEmpty else {
                rest = bytes
                return nil
            }
            defer { rest = rest.dropFirst(step) }
            return Array(rest.prefix(step))
        } giving: {
            text.append(contentsOf: $0)
        }
        let whole = String(validating: text, as: UTF8.self)
        demand(whole != nil, "what is read is UTF-8")
        return DocumentText(text: whole ?? "", structure: structure)
    }
}
#endif
