extension QueryDifference: CustomStringConvertible {
  /// The positions that differ and the length of the new result, such as `removed [2], inserted
  /// [0], moved [3 to 1], of 9`.
  public var description: String {
    var parts: [String] = []
    if !removed.isEmpty { parts.append("removed \(removed)") }
    if !inserted.isEmpty { parts.append("inserted \(inserted)") }
    if !moved.isEmpty {
      parts.append("moved [\(moved.map { "\($0.from) to \($0.to)" }.joined(separator: ", "))]")
    }
    if !updated.isEmpty { parts.append("updated \(updated)") }
    if parts.isEmpty { parts.append("no difference") }
    return parts.joined(separator: ", ") + ", of \(new.count)"
  }
}
