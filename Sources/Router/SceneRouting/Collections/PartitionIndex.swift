extension RandomAccessCollection where Index == Int {
  /// The first index after all elements for which `comesBefore` is true; these must come first.
  @inline(__always)
  package func partitionIndex(_ comesBefore: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
