import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The forms of optional members in SQLite")
struct OptionalFormTests {
  typealias Shape = StoredFormTests.Shape

  struct Optionals: Codable, Equatable {
    var text: String?
    var number: Int?
    var flag: Bool?
    var list: [Int]?
    var date: Date?
    var shape: Shape?
  }

  @Test("Optionals: nil is NULL, and a value has the form that it has without")
  func optionals() throws {
    let encoder = RowEncoder()
    let values = Optionals(
      text: "a", number: 1, flag: true, list: [1], date: Date(timeIntervalSinceReferenceDate: 1),
      shape: .nothing)
    for (row, forms) in [
      (Optionals(), Array(repeating: StoredValue.null, count: 6)),
      (
        values,
        [.text("a"), .integer(1), .integer(1), .text("[1]"), .real(1), .text(#"{"nothing":{}}"#)]
      ),
    ] {
      try encoder.encode(row)
      expectEqual(encoder.cells, forms)
      expectEqual(encoder.members, ["text", "number", "flag", "list", "date", "shape"])
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?, ?")
      for (index, cell) in encoder.cells.enumerated() { try statement.bind(cell, at: index) }
      try expectTrue(statement.step())
      try expectEqual(
        RowDecoder(members: encoder.members).decode(Optionals.self, from: statement), row)
    }
  }

  /// A member that may be missing, `null` or a value.
  struct Patch: Codable, Equatable {
    var isPresent: Bool
    var value: Int?

    enum CodingKeys: CodingKey { case value }

    init(isPresent: Bool, value: Int?) {
      self.isPresent = isPresent
      self.value = value
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      isPresent = container.contains(.value)
      value = isPresent ? try container.decode(Int?.self, forKey: .value) : nil
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if isPresent { try container.encode(value, forKey: .value) }
    }
  }

  @Test("A missing member and an explicit nil differ")
  func missing() throws {
    let encoder = RowEncoder()
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let statement = try connection.prepare("SELECT ?")
    for patch in [
      Patch(isPresent: true, value: 1), Patch(isPresent: true, value: nil),
      Patch(isPresent: false, value: nil),
    ] {
      try encoder.encode(patch)
      try statement.bind(encoder.cells[0], at: 0)
      try expectTrue(statement.step())
      let found = try RowDecoder(members: encoder.members).decode(Patch.self, from: statement)
      expectEqual(found, patch)
      statement.reset()
    }
  }

  @Test("An optional that contains nil differs from nil")
  func optionalNil() throws {
    struct Row: Codable, Equatable {
      var twice: Int??
      var any: StoredRowTests.AnyValue?
    }
    for row in [
      Row(twice: .none, any: nil), Row(twice: .some(nil), any: .some(.null)),
      Row(twice: 1, any: .int(1)),
    ] { try checkStoredRow(row) }
  }
}
