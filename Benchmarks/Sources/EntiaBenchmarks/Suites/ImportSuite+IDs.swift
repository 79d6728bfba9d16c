import EntiaRecords

extension Case {
  /// Importing and writing rows with IDs of some form, against short ones of their kind: what is
  /// ordered by ID must not depend on what the IDs look like.
  static let importIDs: [Case] = [
    importIDs(.large, against: .small), importIDs(.huge, against: .small),
    importIDs(.prefixed, against: .short),
  ]

  private static func importIDs(
    _ form: IdentifiedJSON.Form, against other: IdentifiedJSON.Form
  ) -> Case {
    Case(
      "import and write, IDs are \(form.rawValue), a row",
      bars: [.atMillion(of: other.rawValue, 1.5)]
    ) { stage in
      [(Names.entia, form), (other.rawValue, other)].map { name, form in
        let json = IdentifiedJSON(rows: stage.size, form)
        return Contender(name) { run in
          while run.wantsMore { try run.measure(json.rows, json.imported) }
        }
      }
    }
  }

  /// Importing and writing many entity types of one row each, against rows of one entity.
  static let importEntities = Case(
    "import and write, each row of another entity, a row",
    bars: [.atMillion(of: "one entity", 30)]
  ) { stage in
    let count = max(10, stage.size / 10)
    let entities = manyEntities(count)
    let json = IdentifiedJSON(rows: count, .short)
    return [
      Contender(Names.entia) { run in
        while run.wantsMore {
          try run.measure(count) {
            let source = ImportSource(name: "entities.json", bytes: entities)
            guard let database = RecordDatabase.read(source).database else {
              throw Disagreement("the import is refused")
            }
            guard !database.write().isEmpty else { throw Disagreement("nothing is written") }
            return database.count
          }
        }
      },
      Contender("one entity") { run in
        while run.wantsMore { try run.measure(count, json.imported) }
      },
    ]
  }

  private static func manyEntities(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = Array(#"{"entities":{"#.utf8)
    for number in 0..<count {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: #""e\#(number)":{"1":{"score":1}}"#.utf8)
    }
    bytes.append(contentsOf: "}}".utf8)
    return bytes
  }
}
