package import EntiaCollections

extension Indexes.Sorted: SearchableIndex {
  package var isSorted: Bool { true }
  package var isUnique: Bool { false }

  package func search(
    equal values: [Any], from lower: SortedBound<Any>, to upper: SortedBound<Any>
  ) -> FoundIDs<Entity>? {
    if Key.self is any NumberedParts.Type || Key.self is any DescendingPart.Type {
      return searchParts(values, lower, upper)
    }
    if values.isEmpty {
      guard let lower = lower.typed(as: Key.self), let upper = upper.typed(as: Key.self) else {
        return nil
      }
      return found(ids(from: lower, to: upper))
    }
    guard values.count == 1, let key = values[0] as? Key else { return nil }
    return found(ids(for: key))
  }

  private func found(_ ids: IDs) -> FoundIDs<Entity> {
    FoundIDs(count: ids.count) { reversed, body in
      if reversed {
        for id in ids.reversed() where !body(id) { return }
      } else {
        for id in ids where !body(id) { return }
      }
    }
  }

  private static var partCount: Int { (Key.self as? any NumberedParts.Type)?.partCount ?? 1 }

  private static func order(_ key: Key, _ part: Int, _ value: Any) -> PartOrder? {
    if let key = key as? any NumberedParts { return key.order(ofPart: part, against: value) }
    return PartOrder(key, value)
  }

  private func searchParts(
    _ values: [Any], _ lower: SortedBound<Any>, _ upper: SortedBound<Any>
  ) -> FoundIDs<Entity>? {
    let part = values.count
    guard part <= Self.partCount, let first = tree.first else {
      return part <= Self.partCount ? FoundIDs([]) : nil
    }
    let bounds = [lower.value, upper.value].compactMap(\.self)
    guard part < Self.partCount || bounds.isEmpty else { return nil }
    // The types are the same in every entry, so that the first entry decides whether the values
    // are comparable.
    for (number, value) in values.enumerated()
    where Self.order(first.key, number, value) == nil { return nil }
    for bound in bounds where Self.order(first.key, part, bound) == nil { return nil }

    /// Returns the number of entries whose first parts precede the values, or equal them and pass
    /// `isBefore`. With `countsEqual`, all equal ones count.
    func rank(_ isBefore: (Key) -> Bool, countsEqual: Bool) -> Int {
      tree.rank { entry in
        for (number, value) in values.enumerated() {
          switch Self.order(entry.key, number, value) {
          case .same: continue
          case .before: return true
          default: return false
          }
        }
        return countsEqual || isBefore(entry.key)
      }
    }
    let isTurned = fields.indices.contains(part) && fields[part].isDescending
    let (low, high) = isTurned ? (upper, lower) : (lower, upper)
    let start =
      switch low {
      case .unbounded: rank({ _ in false }, countsEqual: false)
      case .including(let bound):
        rank({ Self.order($0, part, bound) == .before }, countsEqual: false)
      case .excluding(let bound):
        rank(
          { [.before, .same].contains(Self.order($0, part, bound)) }, countsEqual: false)
      }
    let end =
      switch high {
      case .unbounded:
        if let bound = low.value {
          rank({ Self.order($0, part, bound) != .unordered }, countsEqual: false)
        } else {
          rank({ _ in true }, countsEqual: true)
        }
      case .including(let bound):
        rank(
          { [.before, .same].contains(Self.order($0, part, bound)) }, countsEqual: false)
      case .excluding(let bound):
        rank({ Self.order($0, part, bound) == .before }, countsEqual: false)
      }
    return found(IDs(tree[start..<Swift.max(start, end)]))
  }
}

extension SortedBound where Key == Any {
  var value: Any? {
    switch self {
    case .unbounded: nil
    case .including(let value), .excluding(let value): value
    }
  }

  func typed<Value>(as type: Value.Type) -> SortedBound<Value>? {
    switch self {
    case .unbounded: .unbounded
    case .including(let value): (value as? Value).map { .including($0) }
    case .excluding(let value): (value as? Value).map { .excluding($0) }
    }
  }
}
