/// The names of the encoded parts: tables, and IDs that the user holds.
struct EncodedParts<Contents: StorageContents>: HeldIDsVisitor {
  var names: [String] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    names.append(name)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    names.append(name)
  }
}
