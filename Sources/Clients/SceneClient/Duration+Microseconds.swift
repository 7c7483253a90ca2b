extension Duration {
  /// Rounded up, so that a short duration does not become zero; clamped to the range of `Int64`.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let part = attoseconds / 1_000_000_000_000 + (attoseconds % 1_000_000_000_000 > 0 ? 1 : 0)
    let (sum, sumOverflows) = whole.addingReportingOverflow(part)
    return overflows || sumOverflows ? (seconds < 0 ? .min : .max) : sum
  }
}
