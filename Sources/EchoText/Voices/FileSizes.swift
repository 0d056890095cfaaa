extension Sequence<Int64> {
    /// The sum of sizes in bytes; the largest number where it is more than that.
    ///
    /// A file may say that it has exabytes, and so may a receipt.
    package var totalSize: Int64 {
        reduce(0) { sum, size in
            let (total, isTooMuch) = sum.addingReportingOverflow(Swift.max(0, size))
            return isTooMuch ? .max : total
        }
    }
}
