import EntiaJSON

/// The orders of the members of rows, which `jsonb` does not keep.
///
/// For each set of members, the usual order is stored once. A row with a different order has an
/// entry in `exceptions`.
struct MemberOrders {
  private struct Part {
    var orders: [[String]] = []
    /// The index in `orders` of each order.
    var numbers: [[ExactString]: Int] = [:]
    /// The index in `orders` of the usual order of each set of members. The usual order is the
    /// order that occurred first. The keys are the sorted members.
    var usual: [[ExactString]: Int] = [:]
    /// The index in `orders` for each row whose members are not in the usual order, by the row's
    /// key.
    var exceptions: [ExactString: Int] = [:]

    mutating func insert(_ names: [String]) -> Int {
      let order = names.map { ExactString($0) }
      if let number = numbers[order] { return number }
      let number = orders.count
      orders.append(names)
      numbers[order] = number
      let sorted = order.sorted()
      if usual[sorted] == nil { usual[sorted] = number }
      return number
    }
  }

  private var parts: [ExactString: Part] = [:]

  init() {}

  /// Notes the order of a row's members.
  mutating func note(_ names: [String], ofRow key: String, in part: String) {
    let part = ExactString(part)
    let number = parts[part, default: Part()].insert(names)
    if parts[part]?.usual[names.map { ExactString($0) }.sorted()] != number {
      parts[part]?.exceptions[ExactString(key)] = number
    }
  }

  /// Returns the members of a row in their stored order. If no order of exactly these members is
  /// stored, returns the members in the order of the server. For example, another program may have
  /// added a member.
  func ordered(
    _ members: [JSONValue.Member], ofRow key: String, in part: String
  ) -> [JSONValue.Member] {
    guard let part = parts[ExactString(part)] else { return members }
    var byName: [ExactString: JSONValue.Member] = [:]
    for member in members { byName[ExactString(member.name)] = member }
    let sorted = byName.keys.sorted()
    for number in [part.exceptions[ExactString(key)], part.usual[sorted]] {
      guard let number, part.orders.indices.contains(number) else { continue }
      let order = part.orders[number].map { ExactString($0) }
      if order.sorted() == sorted { return order.compactMap { byName[$0] } }
    }
    return members
  }

  /// The orders as JSON. The value of each part is an array of `orders` and `exceptions`.
  var json: JSONValue {
    .object(
      parts.sorted { $0.key < $1.key }.map { name, part in
        let orders = part.orders.map { JSONValue.array($0.map(JSONValue.string)) }
        let exceptions = part.exceptions.sorted { $0.key < $1.key }.map { key, number in
          JSONValue.Member(key.string, .number(JSONNumber(number)))
        }
        return JSONValue.Member(name.string, .array([.array(orders), .object(exceptions)]))
      })
  }

  /// Creates the orders from their JSON. Invalid parts are ignored.
  init(_ json: JSONValue?) {
    guard case .object(let members)? = json else { return }
    for member in members {
      guard case .array(let values) = member.value, values.count == 2,
        case .array(let orders) = values[0], case .object(let exceptions) = values[1]
      else { continue }
      var part = Part()
      for order in orders {
        guard case .array(let names) = order else { continue }
        _ = part.insert(
          names.compactMap { if case .string(let name) = $0 { name } else { nil } })
      }
      for exception in exceptions {
        if case .number(let number) = exception.value {
          part.exceptions[ExactString(exception.name)] = Int(number.text)
        }
      }
      parts[ExactString(member.name)] = part
    }
  }
}
