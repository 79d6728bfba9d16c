import EntiaDatabase

@testable import EntiaSQLite

extension DatabaseFile {
  /// Returns the database in the file. The next save is compared with the same version as before.
  func read() throws -> Storage { try load(.throw, isCompared: false).database }
}
