/// Collects the differences between the held IDs (`OrderedID`, `Set`) of two versions.
struct HeldIDsCollector<Contents: StorageContents>: HeldIDsVisitor {
  let old: Contents
  let new: Contents
  var changes: [String: any AnyTableChanges] = [:]

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    if after.isIdentical(to: before) || after == before { return }
    changes[name] = HeldIDsChanges(old: before, new: after)
  }
}
