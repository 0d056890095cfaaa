/// How a line of text is turned on its page.
enum TextTurn: Sendable, Hashable, CaseIterable {
    case upright
    /// From the bottom to the top.
    case upwards
    /// From the top to the bottom.
    case downwards
    case upsideDown

    /// - Parameter boxes: The boxes of a line's characters, in reading order.
    init(of boxes: some Sequence<PrintedBox>) {
        var (across, down) = (Float(0), Float(0))
        var last: PrintedBox?
        for box in boxes {
            if let last {
                across += box.left + box.right - last.left - last.right
                down += box.top + box.bottom - last.top - last.bottom
            }
            last = box
        }
        if abs(down) > 2 * abs(across) {
            self = down < 0 ? .upwards : .downwards
        } else {
            self = across < 0 ? .upsideDown : .upright
        }
    }

    /// Whether the page is as wide as it was high once it is turned.
    var exchangesSides: Bool { self == .upwards || self == .downwards }

    /// Returns `box` after a rotation of the page, of that width and height, that makes the line upright.
    func upright(_ box: PrintedBox, width: Float, height: Float) -> PrintedBox {
        switch self {
        case .upright: box
        case .upwards:
            PrintedBox(left: height - box.bottom, top: box.left, right: height - box.top, bottom: box.right)
        case .downwards:
            PrintedBox(left: box.top, top: width - box.right, right: box.bottom, bottom: width - box.left)
        case .upsideDown:
            PrintedBox(
                left: width - box.right,
                top: height - box.bottom,
                right: width - box.left,
                bottom: height - box.top
            )
        }
    }
}
