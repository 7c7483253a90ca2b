import Foundation

/// Something that a ``Comparison`` measures, for example the router or a program to compare it with.
struct Contender {
  var label: String
  /// The project's target for the ratios in this contender's row.
  ///
  /// If the row has no ratios, this is the target for its values.
  var target: String?
  /// Returns a figure for each column, in order; the last columns may have no figure.
  var measure: () throws -> [Double]

  init(_ label: String, target: String? = nil, measure: @escaping () throws -> [Double]) {
    self.label = label
    self.target = target
    self.measure = measure
  }
}

/// Measures all contenders in turn, several times.
struct Comparison {
  var options: Options

  private struct Repetition {
    /// The figures of each contender.
    var figures: [[Double]]
    var foreignLoad: Double
  }

  /// Returns the medians of all contenders, and the medians of the ratios in `comparedColumns`.
  ///
  /// A ratio is the first contender's figure divided by another contender's figure in the same repetition.
  ///
  /// A repetition is quiet if other processes hardly used the machine. The measurements end after
  /// `options.repetitions` quiet repetitions. If the machine is too busy, they end after three times as many
  /// repetitions in all. The medians come from the `options.repetitions` quietest repetitions.
  func rows(_ contenders: [Contender], comparing comparedColumns: [Int]) throws -> [Table.Row] {
    var repetitions: [Repetition] = []
    var quietCount = 0
    while quietCount < options.repetitions, repetitions.count < 3 * options.repetitions {
      let repetition = try repeatOnce(contenders, startingWith: repetitions.count % contenders.count)
      if repetition.foreignLoad <= options.foreignLoad { quietCount += 1 }
      repetitions.append(repetition)
    }
    let used = repetitions.sorted { $0.foreignLoad < $1.foreignLoad }.prefix(options.repetitions)
    return contenders.indices.map { index in
      let columns = used.first?.figures[index].indices ?? 0..<0
      var row = Table.Row(
        contenders[index].label,
        columns.map { column in median(used.map { $0.figures[index][column] }) },
        target: contenders[index].target
      )
      if index > 0 {
        row.ratios = comparedColumns.map { column in
          median(used.map { $0.figures[0][column] / $0.figures[index][column] })
        }
      }
      row.foreignLoad = used.map(\.foreignLoad).max()
      return row
    }
  }

  private func repeatOnce(_ contenders: [Contender], startingWith first: Int) throws -> Repetition {
    let before = Machine.processorTime
    var figures = [[Double]](repeating: [], count: contenders.count)
    for place in contenders.indices {
      let index = (first + place) % contenders.count
      figures[index] = try contenders[index].measure()
    }
    return Repetition(figures: figures, foreignLoad: Machine.foreignLoad(since: before))
  }
}

/// Returns the value in the middle; 0 without values.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}
