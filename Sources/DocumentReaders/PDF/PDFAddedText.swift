import CPoppler

/// Reads text that was added to a page, which poppler's page text omits: form fields, and free-text notes.
enum PDFAddedText {
    /// The limit on the letters of one field or note; no page holds more.
    private static let longest = 100_000
    /// The limit on the size of letters, in points; a field may be as high as its page.
    private static let largest: Float = 12

    /// Adds the lines to `page` at their positions.
    ///
    /// - Parameters:
    ///   - handle: The page.
    ///   - size: The displayed size of the page, in points.
    ///   - page: Receives the lines, and the numbers of fields, checked boxes, comments and unread parts.
    static func read(_ handle: OpaquePointer, size: (width: Float, height: Float), into page: inout PrintedPage) {
        let annotations = PDFAnnotations(handle, height: size.height)
        var texts = annotations.notes.map { Text(words: string(poppler_annot_get_contents($0.note)), box: $0.box) }
        page.comments = annotations.comments
        page.unreadParts = annotations.attachments + texts.count { $0.words.allSatisfy(\.isWhitespace) }
        let list = poppler_page_get_form_field_mapping(handle)
        defer { poppler_page_free_form_field_mapping(list) }
        for field in fields(in: list, size, annotations) {
            page.formFields += 1
            guard field.isSeen else { continue }
            if isTicked(field.handle) { page.tickedBoxes += 1 }
            texts.append(Text(words: text(of: field.handle), box: field.box, isCentred: !isMultiline(field.handle)))
        }
        for index in texts.indices {
            texts[index].box = page.turn.upright(texts[index].box, width: size.width, height: size.height)
            if page.isRightToLeft { texts[index].box = texts[index].box.mirrored(width: page.width) }
        }
        page.take(texts.flatMap(\.lines))
    }

    private struct Field {
        var handle: OpaquePointer
        var box: PrintedBox
        /// Whether it is shown on the screen.
        var isSeen: Bool
    }

    /// Reads the fields of a form at their displayed positions.
    ///
    /// Poppler returns the box of a field on the unrotated page, and the box of its annotation on the displayed page.
    /// The page's rotation is the one for which most of these boxes agree.
    private static func fields(
        in list: UnsafeMutablePointer<GList>?,
        _ size: (width: Float, height: Float),
        _ annotations: borrowing PDFAnnotations
    ) -> [Field] {
        var found: [(handle: OpaquePointer, area: PopplerRectangle)] = []
        var node = list
        while let current = node {
            node = current.pointee.next
            guard let mapping = current.pointee.data?.assumingMemoryBound(to: PopplerFormFieldMapping.self),
                let field = mapping.pointee.field
            else { continue }
            found.append((field, mapping.pointee.area))
        }
        var best: (count: Int, fields: [Field]) = (-1, [])
        for turn in PageRotation.allCases {
            var count = 0
            let fields = found.map { handle, area in
                let box = turn.box(of: area, width: size.width, height: size.height)
                let isSeen = annotations.widgets.isSeen(at: box)
                if isSeen != nil { count += 1 }
                return Field(handle: handle, box: box, isSeen: isSeen ?? true)
            }
            if count > best.count { best = (count, fields) }
            if count == found.count { break }
        }
        return best.fields
    }

    private static func isMultiline(_ field: OpaquePointer) -> Bool {
        poppler_form_field_get_field_type(field) == POPPLER_FORM_FIELD_TEXT
            && poppler_form_field_text_get_text_type(field) == POPPLER_FORM_TEXT_MULTILINE
    }

    private static func isTicked(_ field: OpaquePointer) -> Bool {
        guard poppler_form_field_get_field_type(field) == POPPLER_FORM_FIELD_BUTTON else { return false }
        let type = poppler_form_field_button_get_button_type(field)
        return type != POPPLER_FORM_BUTTON_PUSH && poppler_form_field_button_get_state(field) != 0
    }

    private static func text(of field: OpaquePointer) -> String {
        switch poppler_form_field_get_field_type(field) {
        case POPPLER_FORM_FIELD_TEXT:
            let isSecret = poppler_form_field_text_is_password(field) != 0
            return isSecret ? "" : string(poppler_form_field_text_get_text(field))
        case POPPLER_FORM_FIELD_CHOICE:
            let count = min(poppler_form_field_choice_get_n_items(field), 10_000)
            let chosen = (0..<max(count, 0)).filter { poppler_form_field_choice_is_item_selected(field, $0) != 0 }
            if chosen.isEmpty { return string(poppler_form_field_choice_get_text(field)) }
            return chosen.map { string(poppler_form_field_choice_get_item(field, $0)) }.joined(separator: "\n")
        default: return ""
        }
    }

    private static func string(_ string: UnsafeMutablePointer<CChar>?) -> String {
        defer { g_free(string) }
        return string.map { String(cString: $0) } ?? ""
    }

    /// A text in a box.
    private struct Text {
        var words: String
        var box: PrintedBox
        /// Whether a single line is vertically centered in the box, as in a single-line field, and not at its top.
        var isCentred = false

        var lines: [PrintedLine] {
            let texts = words.prefix(longest).split(whereSeparator: \.isNewline).compactMap {
                String($0).asOneLine(longest: longest)
            }
            guard !texts.isEmpty else { return [] }
            let size = max(min(box.height / Float(texts.count) * 0.8, largest), 1)
            let start = texts.count == 1 && isCentred ? box.middle - size / 2 : box.top
            return texts.enumerated().map { index, text in
                let y = start + Float(index) * size * 1.2
                let end = min(box.right, box.left + Float(text.count) * size * 0.5)
                return PrintedLine(
                    text: text,
                    box: PrintedBox(left: box.left, top: y, right: max(end, box.left + 1), bottom: y + size),
                    size: size,
                    isBold: false
                )
            }
        }
    }
}

/// The notes and fields of a page as annotations, where they are shown.
private struct PDFAnnotations: ~Copyable {
    private(set) var notes: [(note: OpaquePointer, box: PrintedBox)] = []
    private(set) var widgets = PageWidgets()
    private(set) var attachments = 0
    /// Notes that open, and words that are highlighted, underlined or struck.
    private(set) var comments = 0
    private let list: UnsafeMutablePointer<GList>?

    /// - Parameters:
    ///   - page: Must live as long as this.
    ///   - height: The height of the page as it is shown, in points.
    init(_ page: OpaquePointer, height: Float) {
        list = poppler_page_get_annot_mapping(page)
        let unseen = POPPLER_ANNOT_FLAG_HIDDEN.rawValue | POPPLER_ANNOT_FLAG_NO_VIEW.rawValue
        var node = list
        while let current = node {
            node = current.pointee.next
            guard let mapping = current.pointee.data?.assumingMemoryBound(to: PopplerAnnotMapping.self),
                let annotation = mapping.pointee.annot
            else { continue }
            let isSeen = poppler_annot_get_flags(annotation).rawValue & unseen == 0
            let box = PageRotation.none.box(of: mapping.pointee.area, width: 0, height: height)
            switch poppler_annot_get_annot_type(annotation) {
            case POPPLER_ANNOT_FREE_TEXT: if isSeen { notes.append((annotation, box)) }
            case POPPLER_ANNOT_WIDGET: widgets.add(box, isSeen: isSeen)
            case POPPLER_ANNOT_FILE_ATTACHMENT: if isSeen { attachments += 1 }
            case POPPLER_ANNOT_TEXT, POPPLER_ANNOT_HIGHLIGHT, POPPLER_ANNOT_UNDERLINE, POPPLER_ANNOT_SQUIGGLY,
                POPPLER_ANNOT_STRIKE_OUT, POPPLER_ANNOT_CARET:
                if isSeen { comments += 1 }
            default: break
            }
        }
    }

    deinit { poppler_page_free_annot_mapping(list) }
}

/// The boxes of a page's fields as annotations, indexed by their upper left corners, because a page may have thousands.
private struct PageWidgets {
    /// In points; corners of matching boxes are at most one apart.
    private struct Corner: Hashable {
        var left: Int
        var top: Int
    }

    private var byCorner: [Corner: [(box: PrintedBox, isSeen: Bool)]] = [:]

    /// Boxes outside any page are ignored.
    mutating func add(_ box: PrintedBox, isSeen: Bool) {
        guard let corner = Self.corner(of: box) else { return }
        byCorner[corner, default: []].append((box, isSeen))
    }

    /// Whether the field at `box` is shown on the screen; `nil` where there is none.
    func isSeen(at box: PrintedBox) -> Bool? {
        guard let corner = Self.corner(of: box) else { return nil }
        for left in corner.left - 1...corner.left + 1 {
            for top in corner.top - 1...corner.top + 1 {
                let widgets = byCorner[Corner(left: left, top: top)]
                if let widget = widgets?.first(where: { $0.box.isNear(box) }) { return widget.isSeen }
            }
        }
        return nil
    }

    private static func corner(of box: PrintedBox) -> Corner? {
        guard let left = Int32(exactly: box.left.rounded()), let top = Int32(exactly: box.top.rounded()) else {
            return nil
        }
        return Corner(left: Int(left), top: Int(top))
    }
}

/// How a page is turned to be shown, clockwise.
private enum PageRotation: CaseIterable {
    case none
    case quarter
    case half
    case threeQuarters

    /// The box of an area with coordinates from the lower left corner of the unrotated page; width and height are those
    /// of the displayed page.
    func box(of area: PopplerRectangle, width: Float, height: Float) -> PrintedBox {
        let (left, right) = (Float(min(area.x1, area.x2)), Float(max(area.x1, area.x2)))
        let (low, high) = (Float(min(area.y1, area.y2)), Float(max(area.y1, area.y2)))
        return switch self {
        case .none: PrintedBox(left: left, top: height - high, right: right, bottom: height - low)
        case .quarter: PrintedBox(left: low, top: left, right: high, bottom: right)
        case .half: PrintedBox(left: width - right, top: low, right: width - left, bottom: high)
        case .threeQuarters:
            PrintedBox(left: width - high, top: height - right, right: width - low, bottom: height - left)
        }
    }
}

extension PrintedBox {
    /// Whether each edge is less than a point from that of `other`.
    fileprivate func isNear(_ other: PrintedBox) -> Bool {
        abs(left - other.left) < 1 && abs(top - other.top) < 1 && abs(right - other.right) < 1
            && abs(bottom - other.bottom) < 1
    }
}
