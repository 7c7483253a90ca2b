extension Array {
  /// The first index, from `start`, after all elements for which `comesBefore` is true; these must come first.
  @inline(__always)
  package func partitionIndex(from start: Int = 0, _ comesBefore: (Element) -> Bool) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
