import EntiaDatabase

/// What all parts of one typed import share.
final class TypedImportContext<Storage: NormalizedStorageType> {
  let base: Storage
  let options: TypedImportOptions
  var counts = ImportStage.Counts()
  var problems = ProblemList()
  /// The input that is being read.
  var file = 0

  init(_ base: Storage, _ options: TypedImportOptions) {
    self.base = base
    self.options = options
  }

  func origin(_ offset: Int) -> Origin { Origin(file: file, offset: offset) }

  /// Says that a problem was told, so that whatever contains the record is given up silently.
  struct Told: Error {}

  /// Tells why a record cannot be decoded, unless that was told of a record in it.
  func tell(_ error: any Error, _ run: DecodingRun, table: String, recordAt node: Int) -> Told {
    if error is Told { return Told() }
    let record = "this record of \(table)"
    guard let error = error as? DecodingError else {
      problems.add(
        .typeMismatch, at: origin(run.tape.nodes[node].start), "\(record) is refused: \(error)")
      return Told()
    }
    switch error {
    case .keyNotFound(let key, let context):
      let place = run.node(context.codingPath)
      let name = key.stringValue.quoted
      problems.add(
        key.stringValue == "id" && place == node ? .missingID : .typeMismatch,
        at: origin(run.tape.nodes[place].start),
        place == node ? "\(record) has no \(name)" : "there is no \(name)")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      problems.add(
        .typeMismatch, at: origin(run.tape.nodes[run.node(context.codingPath)].start),
        context.debugDescription)
    @unknown default:
      problems.add(
        .typeMismatch, at: origin(run.tape.nodes[node].start), "\(record) is refused: \(error)")
    }
    return Told()
  }
}
