import EntiaDatabase
import Foundation

extension StorageLaws where Subject.Storage: Codable {
  /// Checks that a database decoded from JSON has equal rows in the same order, equal links and
  /// consistent indexes, and encodes to the same bytes.
  /// - Throws: `LawViolation` (of law 5) if it does not, `LawSettingsError` if the environment is
  ///   invalid.
  public func checkCoding() throws {
    let statement = "a database that was encoded and decoded is equal"
    try runs.run(law: 5, statement: statement) { random, step in
      var history = StorageHistory(Subject.self)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // JSON has no NaN.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      for index in 0..<runs.steps {
        step = index
        try history.advance(operations, &random)
        let data = try encoder.encode(history.storage)
        let decoded = try decoder.decode(Storage.self, from: data)
        try require(operations.isEqual(decoded, history.storage), "the decoded one is not equal")
        let (found, expected) = (
          StorageImage(of: decoded, parts), StorageImage(of: history.storage, parts)
        )
        try require(found.tables == expected.tables, "the decoded rows are in another order")
        try requireEqual(
          found.links.map { $0.mapValues(Set.init) }, expected.links.map { $0.mapValues(Set.init) },
          "the decoded links")
        let contents = decoded.snapshot.contents
        let rows = parts.tables.flatMap { $0.rows(contents) }
        for index in parts.indexes {
          let mismatches = index.mismatches(contents, rows)
          try require(mismatches.isEmpty, "the decoded \(index.name): \(mismatches)")
        }
        try requireEqual(try encoder.encode(decoded), data, "the bytes of the second encoding")
      }
    }
  }
}
