/// Finds when each token was said, from where in the sound the decoder looked (its cross-attention) when it wrote the token.
///
/// The looks of some heads, which follow speech best, are made comparable and smoothed; then a path through all tokens and frames is
/// found that never goes back and along which the decoder looked most.
///
/// - SeeAlso: `find_alignment` of `whisper/timing.py` in github.com/openai/whisper; H. Sakoe, S. Chiba, “Dynamic programming
///   algorithm optimization for spoken word recognition”, 1978.
enum CrossAttentionAlignment {
    /// The frames, this one in their middle, of which the median is taken.
    private static let smoothed = 7

    /// The first frame of each token.
    ///
    /// - Parameters:
    ///   - looks: For each token, how much each head looked at each frame: all frames of the first head, then those of the next.
    ///   - frames: How many frames the sound has; a head may have looked at more, which count for nothing.
    ///   - heads: How many heads there are.
    /// - Returns: A frame for each token, none before the one of the token before.
    static func starts(of looks: [[Float]], frames: Int, heads: Int) -> [Int] {
        guard let length = looks.first.map({ $0.count / max(heads, 1) }), length > 0, frames > 0, heads > 0,
            looks.allSatisfy({ $0.count == length * heads })
        else { return [] }
        return path(through: agreement(of: looks, frames: min(frames, length), length: length, heads: heads))
    }

    /// How much all heads looked at each frame for each token, against what they did for other tokens.
    private static func agreement(of looks: [[Float]], frames: Int, length: Int, heads: Int) -> [[Float]] {
        var sum = looks.map { _ in [Float](repeating: 0, count: frames) }
        // The rows follow one another.
        var rows = [Float](repeating: 0, count: looks.count * frames)
        for head in 0..<heads {
            for (row, look) in looks.enumerated() {
                let own = look[head * length..<head * length + frames]
                let total = own.reduce(0, +)
                let whole = total > 0 ? total : 1
                for (frame, share) in own.enumerated() { rows[row * frames + frame] = share / whole }
            }
            compareColumns(of: &rows, width: frames)
            for row in looks.indices {
                let medians = medians(of: Array(rows[row * frames..<(row + 1) * frames]))
                for frame in 0..<frames { sum[row][frame] += medians[frame] / Float(heads) }
            }
        }
        return sum
    }

    /// Gives each column of rows that follow one another the mean 0 and the standard deviation 1.
    private static func compareColumns(of rows: inout [Float], width: Int) {
        let count = Float(rows.count / width)
        var (means, deviations) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        for start in stride(from: 0, to: rows.count, by: width) {
            for column in 0..<width { means[column] += rows[start + column] }
        }
        for column in 0..<width { means[column] /= count }
        for start in stride(from: 0, to: rows.count, by: width) {
            for column in 0..<width {
                let difference = rows[start + column] - means[column]
                deviations[column] += difference * difference
            }
        }
        for column in 0..<width { deviations[column] = max((deviations[column] / count).squareRoot(), 1e-9) }
        for start in stride(from: 0, to: rows.count, by: width) {
            for column in 0..<width {
                rows[start + column] = (rows[start + column] - means[column]) / deviations[column]
            }
        }
    }

    /// The median around each number; beyond both ends their mirror image counts.
    static func medians(of numbers: [Float]) -> [Float] {
        let reach = smoothed / 2
        guard numbers.count > reach else { return numbers }
        return numbers.withUnsafeBufferPointer { numbers in
            let last = numbers.count - 1
            return numbers.indices.map { middle in
                func number(_ place: Int) -> Float {
                    let from = abs(middle + place - reach)
                    return numbers[from > last ? 2 * last - from : from]
                }
                return median(number(0), number(1), number(2), number(3), number(4), number(5), number(6))
            }
        }
    }

    /// The median of seven numbers, without a branch, which half of the time would go the other way than the processor expects.
    ///
    /// Leaves out the least and the greatest of five, four and three of them, which are not the median.
    private static func median(
        _ one: Float,
        _ two: Float,
        _ three: Float,
        _ four: Float,
        _ five: Float,
        _ six: Float,
        _ seven: Float
    ) -> Float {
        var (one, two, three, four, five, six) = (one, two, three, four, five, six)
        exchange(&one, &two)
        exchange(&three, &four)
        exchange(&one, &three)
        exchange(&two, &four)
        exchange(&one, &five)
        exchange(&five, &four)
        // The first is the least, the fourth the greatest.
        exchange(&two, &three)
        exchange(&five, &six)
        exchange(&two, &five)
        exchange(&three, &six)
        // The second is the least, the sixth the greatest.
        exchange(&three, &five)
        return max(three, min(five, seven))
    }

    /// Puts the lesser of two numbers first.
    private static func exchange(_ one: inout Float, _ other: inout Float) {
        (one, other) = (min(one, other), max(one, other))
    }

    /// The first column of each row on the path of the greatest sum from the first row and column to the last.
    static func path(through gains: [[Float]]) -> [Int] {
        enum Step { case both, row, column }
        guard let columns = gains.first?.count, columns > 0 else { return [] }
        var steps = gains.map { _ in [Step](repeating: .column, count: columns) }
        // The best sums up to the row before, and up to this row; the first place is before the first column.
        var before = [Float](repeating: -.infinity, count: columns + 1)
        before[0] = 0
        for (row, own) in gains.enumerated() {
            var sums = [Float](repeating: -.infinity, count: columns + 1)
            for column in 0..<columns {
                let (both, down, right) = (before[column], before[column + 1], sums[column])
                let step: Step = both > down && both > right ? .both : down > right ? .row : .column
                let best = step == .both ? both : step == .row ? down : right
                sums[column + 1] = best + own[column]
                steps[row][column] = step
            }
            before = sums
        }
        var starts = [Int](repeating: 0, count: gains.count)
        var (row, column) = (gains.count - 1, columns - 1)
        while row >= 0 {
            starts[row] = max(column, 0)
            guard column >= 0, row > 0 || column > 0 else { break }
            let step: Step = row == 0 ? .column : column == 0 ? .row : steps[row][column]
            switch step {
            case .both: (row, column) = (row - 1, column - 1)
            case .row: row -= 1
            case .column: column -= 1
            }
        }
        return starts
    }
}
