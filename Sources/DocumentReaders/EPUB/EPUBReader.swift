import EchoText
import Foundation

/// Reads EPUB 2 and 3, on the calling thread.
struct EPUBReader {
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) throws -> DocumentText {
        let container = try Container(file.bytes)
        let (package, further) = try Self.package(in: container)
        let entries = try Self.contentsList(of: package, in: container)
        let spine = Self.readingOrder(of: package, entries)
        guard spine.count <= DocumentKind.maximumPages else {
            throw DocumentError.tooManyPages(limit: DocumentKind.maximumPages)
        }
        var reader = SpokenMarkup(
            targets: Set(entries.filter { $0.fragment != nil }.map(\.key)),
            language: package.language
        )
        let (starts, missing, cut, decoding) = try Self.read(spine, in: container, with: &reader)
        let flow = reader.flow
        // A place whose id is mistyped is that of a text that the contents list leads to.
        let lost = missing.count + cut + max(0, package.missing - (spine.count - package.spine.count))
        guard flow.length > 0 else {
            if !missing.isEmpty, missing.count == spine.count { throw DocumentError.damaged(.epub) }
            if reader.hasPictures || package.hasPictures { throw DocumentError.noText }
            throw lost > 0 ? DocumentError.damaged(.epub) : .blank
        }
        var notices: [DocumentNotice] = []
        if lost > 0 { notices.append(.missingParts(lost)) }
        if reader.embedded > 0 { notices.append(.embeddedParts(reader.embedded)) }
        notices += decoding
        let bare = starts.indices.filter { index in
            !missing.contains(index)
                && starts[index] == (index + 1 < starts.count ? starts[index + 1] : flow.length)
        }
        // The cover and some others are pictures in most books.
        if bare.count * 2 > starts.count { notices.append(.pagesWithoutText(bare.map { $0 + 1 })) }
        if further > 0 { notices.append(.furtherBooks(further)) }
        let language = Self.language(of: package, flow)
        let passages = flow.passages.filter { passage in
            language.map { LanguageTag.language(of: $0) } != LanguageTag.language(of: passage.language)
        }
        let structure = DocumentStructure(
            kind: .epub,
            title: package.title,
            author: package.author,
            language: language,
            pages: starts.enumerated().map { index, start in
                let end = index + 1 < starts.count ? starts[index + 1] : flow.length
                return DocumentPage(number: index + 1, range: start..<end)
            },
            chapters: Self.chapters(entries, flow).chapters(length: flow.length),
            blocks: flow.blocks,
            marks: flow.marks,
            notices: notices,
            passages: passages.isEmpty ? nil : passages
        )
        return DocumentText(text: flow.builder.text, structure: structure)
    }

    /// The cover.
    ///
    /// - Throws: ``DocumentError/noPicture`` for a book without one, ``DocumentError/coverNotDrawn``, and the errors of
    ///   ``read(_:)``.
    func cover(of file: DocumentFile, width: Int) throws -> PagePicture {
        let container = try Container(file.bytes)
        let (package, _) = try Self.package(in: container)
        guard let cover = package.cover else { throw DocumentError.noPicture }
        guard let bytes = try container.contents(of: [cover.path])[cover.path] else {
            throw DocumentError.coverNotDrawn
        }
        return try CoverPicture.picture(from: bytes, width: width)
    }

    private static func package(in container: Container) throws -> (Package, further: Int) {
        let entrance = try ContainerEntrance(container)
        let files = try container.contents(of: Set(entrance.packages))
        for path in entrance.packages {
            guard let bytes = files[path], let package = Package(bytes, at: path) else { continue }
            return (package, entrance.packages.count - 1)
        }
        throw DocumentError.damaged(.epub)
    }

    private static func contentsList(of package: Package, in container: Container) throws -> [Navigation.Entry] {
        let places = [package.navigation, package.contentsTable].compactMap { $0 }
        let files = try container.contents(of: Set(places))
        for path in places {
            guard let bytes = files[path] else { continue }
            let entries = Navigation(bytes, at: path).entries
            if !entries.isEmpty { return entries }
        }
        return []
    }

    /// The reading order, with the texts that only the contents list leads to: a chapter that the spine lacks would be
    /// missing unnoticed.
    ///
    /// Each stands behind the one that is listed before it, the first ones before the next that the spine has.
    private static func readingOrder(of package: Package, _ entries: [Navigation.Entry]) -> [Package.Place] {
        var order = package.spine
        var keys = order.map { $0.path.lowercased() }
        var known = Set(keys)
        let texts = package.textPaths
        var before: String?
        for (number, entry) in entries.enumerated() {
            let key = entry.path.lowercased()
            if !known.contains(key) {
                guard let path = texts[key] else { continue }
                let behind = before.flatMap { keys.lastIndex(of: $0) }.map { $0 + 1 }
                let next = entries[number...].lazy.compactMap { keys.firstIndex(of: $0.path.lowercased()) }.first
                let index = behind ?? next ?? order.count
                order.insert(Package.Place(path: path, isLinear: true), at: index)
                keys.insert(key, at: index)
                known.insert(key)
            }
            before = key
        }
        return order
    }

    /// - Returns: The start of each part, the indices of those that could not be read, how many could not be read to their
    ///   end, and what is said about how the bytes of others were decoded.
    private static func read(
        _ spine: [Package.Place],
        in container: Container,
        with reader: inout SpokenMarkup
    ) throws -> (starts: [Int], missing: Set<Int>, cut: Int, decoding: [DocumentNotice]) {
        let files = try container.contents(of: Set(spine.map(\.path)))
        var starts: [Int] = []
        var missing: Set<Int> = []
        var cut = 0
        var notices: [DocumentNotice] = []
        for place in spine {
            try Task.checkCancellation()
            starts.append(reader.flow.length)
            guard let bytes = files[place.path], let page = Markup(bytes, isContent: true) else {
                missing.insert(starts.count - 1)
                continue
            }
            if page.isCut { cut += 1 }
            notices += page.notices
            try reader.add(page, at: place.path, isLinear: place.isLinear)
            guard reader.flow.length <= DocumentKind.maximumText else { throw DocumentError.tooMuchInside }
        }
        return (starts, missing, cut, Self.merged(notices))
    }

    /// Notices about the decoding of all pages: each guess once, and the sum of what was replaced.
    private static func merged(_ notices: [DocumentNotice]) -> [DocumentNotice] {
        var merged: [DocumentNotice] = []
        var replaced = 0
        for notice in notices {
            if case .replacedCharacters(let count) = notice {
                replaced += count
            } else if !merged.contains(notice) {
                merged.append(notice)
            }
        }
        return replaced > 0 ? merged + [.replacedCharacters(replaced)] : merged
    }

    /// The language of a book: as it states it, else as most of its text does, else as its words show it.
    private static func language(of package: Package, _ flow: FlowText) -> String? {
        if let stated = package.language { return stated }
        let lengths = Dictionary(flow.passages.map { ($0.language, $0.range.count) }, uniquingKeysWith: +)
        if let (language, length) = lengths.first(where: { $0.value * 2 > flow.length }), length > 0 { return language }
        return LanguageSample.language(of: flow.builder.text)
    }

    private static func chapters(_ entries: [Navigation.Entry], _ flow: FlowText) -> ChapterList {
        var list = ChapterList()
        for entry in entries {
            let start = flow.place(of: entry.key) ?? flow.place(of: Navigation.Entry.key(entry.path, nil))
            if let start { list.add(entry.title, level: entry.level, start: start) }
        }
        guard list.isEmpty else { return list }
        return flow.headingChapters
    }
}

extension FlowText {
    /// The headings as chapters.
    var headingChapters: ChapterList {
        var list = ChapterList()
        let units = Array(builder.text.utf16)
        for block in blocks where block.kind == .heading {
            list.add(
                String(decoding: units[block.range], as: UTF16.self),
                level: block.level,
                start: block.range.lowerBound
            )
        }
        return list
    }
}
