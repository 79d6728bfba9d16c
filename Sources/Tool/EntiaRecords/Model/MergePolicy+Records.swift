import EntiaCoding
public import EntiaDatabase

extension MergePolicy where Entity == Record {
  /// Returns a policy that takes only these members from the incoming record. The row keeps a
  /// member that the record lacks.
  public static func members(_ names: String...) -> Self {
    let names = Set(names.map { ExactString($0) })
    return Self { existing, incoming in
      existing.replacing(
        incoming.byName.filter { names.contains($0.key) }, addingInOrderOf: incoming.names)
    }
  }

  /// Returns a policy that replaces the row by the incoming record, except for these members, which
  /// are unchanged, present or missing.
  public static func keepingMembers(_ names: String...) -> Self {
    let names = Set(names.map { ExactString($0) })
    return Self { existing, incoming in
      let kept = Record(
        id: incoming.id, members: incoming.members.filter { !names.contains(ExactString($0.name)) })
      return kept.replacing(
        existing.byName.filter { names.contains($0.key) }, addingInOrderOf: existing.names)
    }
  }

  /// The policy that replaces the row by the incoming record, except for members that the record
  /// lacks or has as null, which are unchanged.
  public static var fillingMissingMembers: Self {
    Self { existing, incoming in
      existing.replacing(
        incoming.byName.filter { name, value in
          value != .null || !existing.names.contains(name)
        }, addingInOrderOf: incoming.names)
    }
  }
}

extension Record {
  fileprivate var byName: [ExactString: RecordValue] {
    Dictionary(uniqueKeysWithValues: zip(names, values))
  }
}
