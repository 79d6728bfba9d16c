import EntiaCoding

/// The tables with the children of one table.
///
/// A member contains children if the parent's type does not decode it, it has the name of a table,
/// and exactly one relationship leads from that table to the parent.
@usableFromInline
final class ChildTables {
  /// Reads the child at a node.
  @usableFromInline
  typealias ReadChild = (Int, ChildParent, DecodingRun) throws -> Void

  struct Table {
    let name: String
    let links: [ParentLink]
    let read: ReadChild
  }

  /// The name of the parents' table.
  private let name: String
  private let context: TypedImportContext
  var tables: [Table] = []

  @usableFromInline
  init(_ name: String, _ context: TypedImportContext) {
    self.name = name
    self.context = context
  }

  /// Reads the members of a record that contain objects and were not decoded.
  @usableFromInline
  func read(_ record: Int, parent id: Any, _ idText: String, _ run: DecodingRun) {
    for member in run.undecodedMembers(of: record) {
      let memberName = run.text(member - 1)
      let table = tables.first { run.isSpelled(memberName, $0.name) }
      guard let table, let link = table.links.first else {
        ignore(member, memberName, isTable: table != nil, run)
        continue
      }
      guard table.links.count == 1 else {
        let names = table.links.map(\.name).joined(separator: " and ")
        context.problems.add(
          .typeMismatch, at: context.origin(of: member, run),
          "\(table.name) has \(table.links.count) relationships to \(name), \(names): it is "
            + "ambiguous which of them refers to the parent; import \(table.name) as a table of its own"
        )
        continue
      }
      let parent = ChildParent(id, idText, table: name, link)
      for child in run.elementsOrSelf(of: member) { read(child, table, parent, run) }
    }
  }

  private func read(_ node: Int, _ table: Table, _ parent: ChildParent, _ run: DecodingRun) {
    guard run.isObject(node) else {
      return context.problems.add(
        .typeMismatch, at: context.origin(of: node, run),
        "expected an object as a record of \(table.name), found "
          + run.tape.nodes[node].token.kindDescription)
    }
    do {
      try table.read(node, parent, run)
    } catch {
      // The problem has already been reported.
    }
  }

  private func ignore(_ member: Int, _ memberName: String, isTable: Bool, _ run: DecodingRun) {
    context.ignore("\(name).\(memberName)", at: context.origin(of: member, run)) {
      "\(memberName.quoted) of \(name) contains objects that are not imported"
        + (isTable
          ? "; no relationship of \(memberName) refers to \(name)"
          : Suggestion.sentence(for: memberName, among: tables.map(\.name)))
    }
  }
}
