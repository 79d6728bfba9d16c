import EntiaDatabase

/// The delete rules of a file's relationships, if the file has any.
///
/// A JSON database has none. The page then shows what `entia delete` does.
struct PageRules {
  /// The rules of one relationship.
  struct Rule: Equatable {
    /// The entity with the relationship.
    let entity: String
    /// The member with the relationship.
    let member: String
    /// The rule for the holders of a row that is deleted.
    let onDelete: NullableDeleteRule
    /// Whether a row with references cannot be deleted itself.
    var deniesHolder = false
  }

  /// The rules by entity and member; `nil` for a file without rules.
  var rules: [Rule]?

  /// Returns the rule of a relationship: to deny the deletion if the file has none.
  func rule(of member: String, in entity: String) -> Rule {
    rules?.first { $0.entity == entity && $0.member == member }
      ?? Rule(entity: entity, member: member, onDelete: .deny)
  }
}

extension NullableDeleteRule {
  /// The name of the rule in a page.
  var pageName: String {
    switch self {
    case .cascade: "cascade"
    case .nullify: "nullify"
    case .deny: "deny"
    case .keepDangling: "keepDangling"
    }
  }
}
