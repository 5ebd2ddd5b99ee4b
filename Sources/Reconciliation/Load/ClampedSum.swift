extension Sequence<Int64> {
  /// The sum, or the largest number there is: files of which nothing is stored can have any size.
  var clampedSum: Int64 {
    reduce(0) { sum, next in
      let (total, overflows) = sum.addingReportingOverflow(next)
      return overflows ? .max : total
    }
  }
}
