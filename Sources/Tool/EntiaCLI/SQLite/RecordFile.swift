/// Database files of records: what `DatabaseFile` opens with a storage, without one.
///
/// Beside the tables of rows, three tables have what JSON distinguishes and the rows do not:
/// `entia_records` has the schema and the rows of the top level, `entia_members` has the members
/// whose columns have only Boolean values or only strings, and `entia_spellings` has the text of
/// each number that Swift spells differently, and of each `null` in a column with a foreign key.
/// They describe the file as it was written; a value
/// that was changed afterwards is read as it is.
enum RecordFile {
  /// The first bytes of each SQLite database.
  static let magic = Array("SQLite format 3\0".utf8)

  /// The tables that describe the records.
  static let definitions = """
    CREATE TABLE entia_records(key TEXT PRIMARY KEY, value);
    CREATE TABLE entia_members(part TEXT, member TEXT, kind TEXT, PRIMARY KEY(part, member));
    CREATE TABLE entia_spellings(part TEXT, member TEXT, id, spelling TEXT);
    """
}

/// A database file that cannot be read.
struct RecordFileError: Error, Equatable, CustomStringConvertible {
  /// Whether the content of the file is the reason, and not the access to it.
  let isBadData: Bool
  /// A sentence that names the file and the reason.
  let description: String
}
