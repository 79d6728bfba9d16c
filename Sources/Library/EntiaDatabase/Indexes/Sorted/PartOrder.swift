/// The position of a part of a key relative to a value, in the order of the index.
enum PartOrder {
  case before
  case same
  case after
  /// One of the two is NaN, which is last and in no range.
  case unordered

  /// Compares a part with a value. Returns `nil` when the value is not of the part's type.
  init?<Part: Comparable>(_ part: Part, _ value: Any) {
    if let turned = part as? any DescendingPart {
      self.init(turned: turned, value)
    } else {
      guard let value = value as? Part else {
        guard let text = part as? String, let end = value as? PrefixEnd else { return nil }
        self = end.follows(text) ? .before : .after
        return
      }
      self = part == value ? .same : part < value ? .before : part > value ? .after : .unordered
    }
  }

  private init?<Part: DescendingPart>(turned part: Part, _ value: Any) {
    guard let order = Self(part.value, value) else { return nil }
    switch order {
    case .before: self = .after
    case .after: self = .before
    case .same, .unordered: self = order
    }
  }
}

/// A key of several parts, which are accessed by number.
protocol NumberedParts {
  /// The descriptions of the parts.
  var partTexts: [String] { get }
  /// Compares a part with a value; `nil` when the value is not of its type.
  func order(ofPart number: Int, against value: Any) -> PartOrder?
  /// Returns a key with the first parts of this one, this many, and the other parts of another.
  func keeping(_ count: Int, then other: Self) -> Self
}

/// Returns a key with the first parts of a key, this many, and the other parts of another.
func combinedKey<Key>(_ count: Int, of key: Key, then other: Key) -> Key {
  if count == 0 { return other }
  func combine<Parts: NumberedParts>(_ parts: Parts) -> Key? {
    (other as? Parts).flatMap { parts.keeping(count, then: $0) as? Key }
  }
  return (key as? any NumberedParts).flatMap { combine($0) } ?? key
}

// Each pair calls the next, as deep as the key's type has parts.
extension SortKeys: NumberedParts {
  var partTexts: [String] {
    let texts = (rest as? any NumberedParts)?.partTexts ?? [String(describing: rest)]
    return [String(describing: first)] + texts
  }

  func order(ofPart number: Int, against value: Any) -> PartOrder? {
    if number == 0 { return PartOrder(first, value) }
    if let rest = rest as? any NumberedParts {
      return rest.order(ofPart: number - 1, against: value)
    }
    return number == 1 ? PartOrder(rest, value) : nil
  }

  func keeping(_ count: Int, then other: Self) -> Self {
    if count == 0 { return other }
    return SortKeys(first, combinedKey(count - 1, of: rest, then: other.rest))
  }
}
