/// A line that is being assembled from its characters.
struct LineInProgress {
    private struct Piece {
        var box: PrintedBox
        var size: Float
        /// The start in the line's text, in UTF-16 units.
        var start: Int
        var end: Int
    }

    private var bytes: [UInt8] = []
    private var length = 0
    private var pieces: [Piece] = []
    /// The piece in progress, not yet among ``pieces``.
    private var piece = Piece(box: PrintedBox(left: 0, top: 0, right: 0, bottom: 0), size: 0, start: 0, end: 0)
    private var hasPiece = false
    private var bold = 0
    /// The right edge of the last character that is not a space; only spaces have followed.
    private var edge: Float?
    private var spaces = 0
    /// The unknown characters of all lines.
    private(set) var unknown = UnknownSigns()
    /// Whether the line begins with such a sign.
    private var beginsUnknown = false

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        hasPiece = false
        beginsUnknown = false
        (length, bold, edge, spaces) = (0, 0, nil, 0)
    }

    /// Whether the gap before `box` is too wide for a word space.
    func isCut(before box: PrintedBox, size: Float) -> Bool {
        guard let edge else { return false }
        return box.left - edge > 1.6 * max(size, 4) && box.right > box.left
    }

    mutating func take(_ scalar: Unicode.Scalar, at box: PrintedBox, size: Float, isBold: Bool) {
        switch scalar.value {
        case 0x21...0x7E: break  // the common case; a lookup of properties costs more than everything else
        case 0x20:
            spaces += 1
            return
        default:
            if scalar.properties.isWhitespace {
                spaces += 1
                return
            }
            if scalar.isUnknown {
                let isBullet = !hasPiece && !beginsUnknown && scalar.properties.generalCategory == .privateUse
                unknown.add(isBullet: isBullet)
                if !hasPiece { beginsUnknown = true }
            }
            guard scalar.isShown || scalar == "\u{AD}", scalar.properties.generalCategory != .privateUse else { return }
        }
        if let edge, !bytes.isEmpty {
            if spaces > 0 || box.left - edge > 0.25 * size { append(" ") }
        }
        spaces = 0
        let start = length
        appendSpelled(scalar)
        if isBold { bold += length - start }
        if hasPiece, piece.size == size, abs(piece.box.bottom - box.bottom) < 0.5 {
            piece.box.left = min(piece.box.left, box.left)
            piece.box.right = max(piece.box.right, box.right)
            piece.box.top = min(piece.box.top, box.top)
            piece.box.bottom = max(piece.box.bottom, box.bottom)
            piece.end = length
        } else {
            if hasPiece { pieces.append(piece) }
            piece = Piece(box: box, size: size, start: start, end: length)
            hasPiece = true
        }
        edge = box.right
    }

    /// Returns the line, or `nil` for a blank one.
    mutating func finished() -> PrintedLine? {
        guard hasPiece else { return nil }
        pieces.append(piece)
        if pieces.count == 1 {
            let text = String(decoding: bytes, as: UTF8.self)
            return PrintedLine(text: text, box: piece.box, size: piece.size, isBold: bold * 10 > length * 7)
        }
        guard let main = pieces.max(by: { $0.end - $0.start < $1.end - $1.start }) else { return nil }
        var sizes: [(size: Float, count: Int)] = []
        for piece in pieces {
            if let known = sizes.firstIndex(where: { $0.size == piece.size }) {
                sizes[known].count += piece.end - piece.start
            } else {
                sizes.append((piece.size, piece.end - piece.start))
            }
        }
        let usual = sizes.max { $0.count < $1.count }?.size ?? main.size
        let base = pieces.first { $0.size == usual } ?? main
        let raised = pieces.filter {
            $0.size < 0.85 * usual && $0.box.bottom < base.box.bottom - 0.12 * base.box.height
        }
        return PrintedLine(
            text: String(decoding: bytes, as: UTF8.self),
            box: pieces.dropFirst().reduce(pieces[0].box) { $0.union($1.box) },
            size: usual,
            isBold: bold * 10 > length * 7,
            raised: raised.map { $0.start..<$0.end }
        )
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value < 0x80 {
            bytes.append(UInt8(scalar.value))
            length += 1
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            length += scalar.value > 0xFFFF ? 2 : 1
        }
    }

    /// Appends a character; ligatures are spelled out.
    private mutating func appendSpelled(_ scalar: Unicode.Scalar) {
        guard (0xFB00...0xFB06).contains(scalar.value) else { return append(scalar) }
        let spelled = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"][Int(scalar.value - 0xFB00)]
        for letter in spelled.unicodeScalars { append(letter) }
    }
}

/// Characters of a page without a meaning: control and private-use characters.
struct UnknownSigns: Sendable, Hashable {
    private(set) var count = 0
    /// How many of them are unlikely to be bullets of a list.
    private(set) var missing = 0

    mutating func add(isBullet: Bool) {
        count += 1
        if !isBullet { missing += 1 }
    }

    mutating func add(_ other: UnknownSigns) {
        count += other.count
        missing += other.missing
    }
}

extension Unicode.Scalar {
    /// Whether it represents a letter that the font does not map.
    fileprivate var isUnknown: Bool {
        switch properties.generalCategory {
        case .control, .privateUse, .unassigned: true
        default: self == "\u{FFFD}"
        }
    }
}
