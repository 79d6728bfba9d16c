/// A visitor of the IDs that the user holds, instead of all indexes.
package protocol HeldIDsVisitor: StorageVisitor {
  /// Visits a part of held IDs.
  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>)
}

extension HeldIDsVisitor {
  /// Visits the index if it is one of held IDs.
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard let type = Index.self as? any HeldIDs.Type else { return }
    func visit<IDs: HeldIDs>(_ type: IDs.Type) {
      heldIDs(name, recast(path, as: PartPath<Contents, IDs>.self))
    }
    visit(type)
  }
}

extension StorageContents {
  /// Whether the same IDs are held, or, on request, whether they are the same version.
  @usableFromInline
  func hasEqualHeldIDs(_ other: Self, onlyIdentical: Bool = false) -> Bool {
    var comparison = HeldIDsComparison(a: self, b: other, onlyIdentical: onlyIdentical)
    Self.visitParts(&comparison)
    return comparison.isEqual
  }
}

private struct HeldIDsComparison<Contents: StorageContents>: HeldIDsVisitor {
  let a: Contents
  let b: Contents
  let onlyIdentical: Bool
  var isEqual = true

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard isEqual else { return }
    let (a, b) = (a[keyPath: path], b[keyPath: path])
    isEqual = a.isIdentical(to: b) || (!onlyIdentical && a == b)
  }
}
