import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// Returns the database of a JSON text of tables.
func database(_ json: [UInt8], _ name: String = "input.json") throws -> RecordDatabase {
  let (database, report) = RecordDatabase.read(ImportSource(name: name, bytes: json))
  return try #require(database, "\(ImportProblems(report.problems))")
}

/// Returns the bytes of a fixture.
func fixture(_ name: String) throws -> [UInt8] {
  try [UInt8](Data(contentsOf: Repository.root.appending(path: "Fixtures/\(name)")))
}
