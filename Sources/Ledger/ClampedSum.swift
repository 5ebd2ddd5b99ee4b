extension Sequence<Int64> {
  /// The sum, or the largest number if the sum is too large: a sparse file can have any size.
  package var clampedSum: Int64 {
    reduce(0) { sum, next in
      let (total, overflows) = sum.addingReportingOverflow(next)
      return overflows ? .max : total
    }
  }
}
