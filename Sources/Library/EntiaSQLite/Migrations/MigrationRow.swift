import EntiaCoding

/// A row of a file in a migration: values by the names of members.
///
/// ```swift
/// .transforming("authors", named: "split names") { row in
///   var row = row
///   let words = try row.value(String.self, of: "name").split(separator: " ", maxSplits: 1)
///   row["first"] = .text(String(words.first ?? ""))
///   row["last"] = .text(String(words.last ?? ""))
///   row.members["name"] = nil
///   return row
/// }
/// ```
public struct MigrationRow: Equatable, Sendable {
  /// The values of the members, including the ID if it is a member.
  public var members: [String: StoredValue]
  /// The member that is the ID, or `nil` when the ID is not a member.
  let idMember: String?
  private var separateID: StoredValue

  /// Creates a row.
  /// - Parameters:
  ///   - id: The ID.
  ///   - members: The values of the members.
  public init(id: StoredValue, members: [String: StoredValue] = [:]) {
    self.init(id: id, members: members, idMember: nil)
  }

  init(id: StoredValue, members: [String: StoredValue], idMember: String?) {
    self.members = members
    self.idMember = idMember
    separateID = id
  }

  /// The ID of the row. Changing it does not change references to the row or held IDs.
  public var id: StoredValue {
    get { idMember.map { members[$0] ?? .null } ?? separateID }
    set { if let idMember { members[idMember] = newValue } else { separateID = newValue } }
  }

  /// The value of a member; `.null` without a value.
  /// - Parameter member: The name of the member.
  public subscript(member: String) -> StoredValue {
    get { members[member] ?? .null }
    set { members[member] = newValue }
  }

  /// Returns the value of a member as a type.
  /// - Parameters:
  ///   - type: The type; an optional one for members that may have no value.
  ///   - member: The name of the member.
  /// - Returns: The value.
  /// - Throws: `DecodingError` when the value is of another type.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of member: String
  ) throws -> Value {
    try CellSource(self[member], NestedJSON(), at: [NamedKey(member)])
      .decode(type)
  }

  /// Sets the value of a member, of any type that a row may have.
  /// - Parameters:
  ///   - value: The value.
  ///   - member: The name of the member.
  /// - Throws: The error that encoding the value throws.
  public mutating func set(_ value: some Encodable, of member: String) throws {
    members[member] = try StoredValue(encoding: value, member: member)
  }

  /// Sets the ID of the row, of any type that an ID may have. References to the row and held IDs
  /// are not changed.
  /// - Parameter id: The ID.
  /// - Throws: The error that encoding the ID throws.
  public mutating func setID(_ id: some Encodable) throws {
    self.id = try StoredValue(encoding: id, member: idMember ?? "id")
  }
}

extension StoredValue {
  /// Creates the stored value of a member.
  /// - Throws: The error that encoding the value throws.
  init(encoding value: some Encodable, member: String) throws {
    let form = try ValueEncoder().form(of: value, at: [NamedKey(member)])
    // An optional without a value encodes itself as an explicit nil; rows store it as NULL.
    self = form == StoredForm.explicitNil ? .null : form
  }
}
