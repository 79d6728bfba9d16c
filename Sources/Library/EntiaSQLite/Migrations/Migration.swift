/// A change of the tables in a file of an older version of the program.
///
/// ```swift
/// let file = try DatabaseFile<Library>(path: "library.sqlite", migrations: [
///   .renamingMember("name", to: "title", of: "books"),
///   .renamingTable("writers", to: "authors"),
///   .transforming("authors", named: "split names") { row in … },
/// ])
/// ```
///
/// Opening a file applies its pending migrations, in the order of the list and in one transaction.
/// The file records each migration by its name. Names must therefore be unique and never change.
/// Never remove a migration from the list; append new ones.
///
/// The first save of a new file records all migrations, and none of them runs. A file may also be
/// written by the tool `entia` and not yet saved by a program. No migration changes the rows of
/// such a file. Only ``renamingTable(_:to:named:)`` is applied, if the storage has a table with the
/// new name and none with the old name, and the file has no table with the new name.
///
/// These changes need no migration: a new table, a new optional member, and a new member that is
/// decoded with `decodeIfPresent`. A member of an `@Entity` with a default value or an old name in
/// its declaration needs no migration either.
public struct Migration: Sendable {
  /// The name by which a file records the migration.
  package let name: String
  /// The change, as a phrase such as "rename table writers to authors".
  package let change: String
  /// The old and the new name of a table; `nil` if the migration changes anything else.
  let renaming: (table: String, newName: String)?
  let apply: @Sendable (MigrationTables) throws -> Void

  private init(
    _ name: String?, change: String, renaming: (table: String, newName: String)? = nil,
    _ apply: @escaping @Sendable (MigrationTables) throws -> Void
  ) {
    self.name = name ?? change
    self.change = change
    self.renaming = renaming
    self.apply = apply
  }

  /// Creates a migration that adds the value of a member to the rows without one.
  /// - Parameters:
  ///   - member: The name of the member.
  ///   - table: The name of the table in the storage.
  ///   - value: The value.
  ///   - name: The name of the migration; `nil` to derive it from the change.
  /// - Returns: The migration. It changes nothing in a file without the table.
  public static func addingMember(
    _ member: String, to table: String, value: some Encodable & Sendable, named name: String? = nil
  ) -> Migration {
    Migration(name, change: "add member \(member) to \(table)") { tables in
      try tables.addMember(member, to: table, value: value)
    }
  }

  /// Creates a migration that renames a member, which may be the ID.
  /// - Parameters:
  ///   - member: The old name of the member.
  ///   - newName: The new name.
  ///   - table: The name of the table in the storage.
  ///   - name: The name of the migration; `nil` to derive it from the change.
  /// - Returns: The migration. It changes nothing in a file without the member, and fails when both
  ///   names have values.
  public static func renamingMember(
    _ member: String, to newName: String, of table: String, named name: String? = nil
  ) -> Migration {
    Migration(name, change: "rename member \(member) of \(table) to \(newName)") { tables in
      try tables.renameMember(member, to: newName, of: table)
    }
  }

  /// Creates a migration that renames a table or held IDs.
  /// - Parameters:
  ///   - table: The old name of the table in the storage.
  ///   - newName: The new name.
  ///   - name: The name of the migration; `nil` to derive it from the change.
  /// - Returns: The migration. It changes nothing in a file without the table, and fails when both
  ///   tables have rows.
  public static func renamingTable(
    _ table: String, to newName: String, named name: String? = nil
  ) -> Migration {
    let change = "rename table \(table) to \(newName)"
    return Migration(name, change: change, renaming: (table, newName)) { tables in
      try tables.renameTable(table, to: newName)
    }
  }

  /// Creates a migration that changes or removes each row of a table.
  /// - Parameters:
  ///   - table: The name of the table in the storage.
  ///   - name: The name of the migration.
  ///   - transform: Returns the new row for a row, or `nil` to remove it. The row keeps its place.
  /// - Returns: The migration. It changes nothing in a file without the table.
  public static func transforming(
    _ table: String, named name: String,
    _ transform: @escaping @Sendable (MigrationRow) throws -> MigrationRow?
  ) -> Migration {
    Migration(name, change: "transform the rows of \(table)") { tables in
      try tables.transform(table, transform)
    }
  }

  /// Creates a migration that reads and writes any table.
  /// - Parameters:
  ///   - name: The name of the migration.
  ///   - body: Changes the tables. If it throws, the file stays as it was.
  /// - Returns: The migration.
  public static func custom(
    _ name: String, _ body: @escaping @Sendable (MigrationTables) throws -> Void
  ) -> Migration { Migration(name, change: "change tables", body) }
}
