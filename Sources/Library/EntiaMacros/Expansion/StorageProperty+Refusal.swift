extension StorageProperty {
  /// Whether this part can refuse a batch.
  ///
  /// A part that cannot be parsed counts as one that can: a rule in a variable, a typealias, or an
  /// index type that is not one of Entia's.
  var canRefuse: Bool {
    switch marker {
    case .table: false
    case .check: true
    case .index: !isAcceptingIndex
    case .relationship: !isAcceptingRelationship
    }
  }

  private var isAcceptingIndex: Bool {
    // Without a type, the value is a call that contains it.
    guard let type = PartType(type ?? CallText(value)?.type ?? ""), type.names.count == 2 else {
      return false
    }
    return type.names[0] == "Indexes"
      && ["Sorted", "Hash", "GroupBy", "OrderedID", "Set"].contains(type.names[1])
  }

  private var isAcceptingRelationship: Bool {
    guard let type = type.flatMap(PartType.init), ["ToOne", "ToMany"].contains(type.names.last),
      let call = CallText(value), call.type.map({ PartType($0) == nil }) != true
    else { return false }
    // The default rule of a relationship is `.deny`.
    var isAccepting = false
    for argument in call.arguments {
      switch argument.label {
      case nil, "id", "nothing", "onHolderDelete": continue
      case "onDelete": isAccepting = Self.acceptingRules.contains(argument.value)
      default: return false
      }
    }
    return isAccepting
  }

  private static let acceptingRules: Set<String> = Set(
    ["", "DeleteRule", "NullableDeleteRule"].flatMap { type in
      ["cascade", "nullify", "keepDangling"].map { "\(type).\($0)" }
    })
}
