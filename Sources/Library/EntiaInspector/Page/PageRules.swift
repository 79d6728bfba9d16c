package import EntiaDatabase

/// The delete rules of a database's relationships, if it has any.
///
/// A JSON database has none. The page then shows what `entia delete` does.
package struct PageRules {
  /// The origin of the rules.
  package enum Source: String {
    /// The rules of `entia delete`, for a file without rules.
    case tool
    /// The foreign keys of a file.
    case file
    /// The relationships of a storage.
    case storage
  }

  /// The rules of one relationship.
  package struct Rule: Equatable {
    /// The entity with the relationship.
    let entity: String
    /// The member with the relationship.
    let member: String
    /// The rule for the holders of a row that is deleted.
    let onDelete: NullableDeleteRule
    /// Whether a row with references cannot be deleted itself.
    let deniesHolder: Bool
    /// Whether deleting a row also deletes the rows that it refers to.
    let cascadesToTargets: Bool

    /// Creates a rule.
    package init(
      entity: String, member: String, onDelete: NullableDeleteRule, deniesHolder: Bool = false,
      cascadesToTargets: Bool = false
    ) {
      self.entity = entity
      self.member = member
      self.onDelete = onDelete
      self.deniesHolder = deniesHolder
      self.cascadesToTargets = cascadesToTargets
    }
  }

  /// The rules by entity and member; empty for a file without rules.
  let rules: [Rule]
  /// The origin of the rules.
  let source: Source

  /// Creates the rules of a file without any.
  package init() {
    rules = []
    source = .tool
  }

  /// Creates rules.
  package init(rules: [Rule], source: Source) {
    self.rules = rules
    self.source = source
  }

  /// Returns the rule of a relationship: to deny the deletion if there is none.
  func rule(of member: String, in entity: String) -> Rule {
    rules.first { $0.entity == entity && $0.member == member }
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
