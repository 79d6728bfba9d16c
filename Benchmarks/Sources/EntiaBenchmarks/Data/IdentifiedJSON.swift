import EntiaRecords

/// JSON of rows that have little but an ID, in no order.
struct IdentifiedJSON {
  /// What the IDs look like.
  enum Form: String, CaseIterable {
    /// Strings that differ in their first bytes.
    case short = "short strings"
    /// Strings that share a prefix, as URLs and `user_<uuid>` do.
    case prefixed = "strings with a shared prefix"
    /// Integers of 2^60 and more, as snowflakes are.
    case large = "integers of 2^60 and more"
    /// Integers that fit no machine integer with a sign.
    case huge = "integers of 2^63 and more"
    /// Integers of few digits.
    case small = "small integers"

    /// The ID of a number as JSON.
    func text(_ number: Int) -> String {
      switch self {
      case .short: "\"\(number)\""
      case .prefixed: "\"https://example.com/users/\(number)\""
      case .large: "\(1 << 60 + number)"
      case .huge: "\(UInt64(1) << 63 + UInt64(number))"
      case .small: "\(number)"
      }
    }
  }

  let rows: Int
  let bytes: [UInt8]

  init(rows: Int, _ form: Form) {
    self.rows = rows
    var random = SplitMix64(seed: 11)
    var bytes: [UInt8] = Array("[".utf8)
    for number in Array(0..<rows).shuffled(using: &random) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: "{\"id\":\(form.text(number)),\"score\":\(number % 100)}".utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    self.bytes = bytes
  }

  /// Imports the rows and writes the database; returns the number of rows.
  func imported() throws -> Int {
    let options = ImportOptions(
      format: .nested, schema: Schema([Schema.Entity("rows")]), root: "rows")
    let source = ImportSource(name: "rows.json", bytes: bytes)
    let (database, report) = Importer.importing([source], into: nil, options: options)
    guard let database, report.problems.isEmpty else {
      throw Disagreement("the import is refused")
    }
    guard !database.write().isEmpty else { throw Disagreement("nothing is written") }
    return database.count
  }
}
