import EntiaCoding

extension Schema {
  /// A member that refers to rows of one entity, or of several entities. With several entities,
  /// each object and each reference has a type.
  public struct Relationship: Hashable, Sendable {
    /// A type in a relationship to several entities. The type of an object determines its entity.
    package struct Variant: Hashable, Sendable {
      /// The value of the member `typeName` in an object.
      package let type: String
      /// The entity of the objects that have the type `type`.
      package let entity: String
    }

    /// The name of the member.
    package let name: String
    /// The entity to which the member refers, or the first of several entities.
    package let target: String
    /// Whether it refers to a list of rows.
    package let isMany: Bool
    /// The member with the type in each object, or nil if all rows are of one entity.
    package let typeName: String?
    /// The types, sorted by their UTF-8 bytes; empty if all rows are of one entity.
    package let variants: [Variant]

    /// Creates a relationship to one entity.
    public init(_ name: String, to target: String, isMany: Bool = false) {
      self.name = name
      self.target = target
      self.isMany = isMany
      typeName = nil
      variants = []
    }

    /// Creates a relationship to several entities. Each object has a member with its type. Each
    /// reference has the type too, such as `{"type": "photo", "id": 1}`.
    ///
    /// ```swift
    /// Schema.Relationship("media", to: ["photo": "photos", "video": "videos"], isMany: true)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - types: The entity of each type; at least one.
    ///   - typeName: The member of each object that has its type.
    ///   - isMany: Whether the member is a list.
    public init(
      _ name: String, to types: [String: String], by typeName: String = "type",
      isMany: Bool = false
    ) {
      self.name = name
      self.isMany = isMany
      self.typeName = typeName
      variants = types.map { Variant(type: $0.key, entity: $0.value) }
        .sorted { $0.type.precedesExactly($1.type) }
      target = variants.first?.entity ?? ""
    }

    /// The entities that it refers to, without duplicates, sorted by their UTF-8 bytes.
    package var targets: [String] {
      guard typeName != nil else { return [target] }
      return Set(variants.map { ExactString($0.entity) }).sorted().map(\.string)
    }

    /// Returns whether two relationships are equal. All names in them are compared by bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.isMany == rhs.isMany && lhs.name.isExactly(rhs.name)
        && lhs.target.isExactly(rhs.target)
        && lhs.typeName.map(ExactString.init) == rhs.typeName.map(ExactString.init)
        && lhs.variants.map(\.exact) == rhs.variants.map(\.exact)
    }
  }
}

extension Schema.Relationship.Variant {
  fileprivate var exact: [ExactString] { [ExactString(type), ExactString(entity)] }
}

extension Schema.Relationship {
  /// Returns whether the relationship may refer to rows of an entity.
  func names(_ entity: String) -> Bool {
    typeName == nil
      ? target.isExactly(entity) : variants.contains { $0.entity.isExactly(entity) }
  }

  /// Returns the type that references to an entity contain, such as `photo` for the entity
  /// `photos`. If the entity has several types, returns the first.
  func type(of entity: String) -> String? {
    variants.first { $0.entity.isExactly(entity) }?.type
  }

  /// Returns the target entities as a list in messages.
  func targetNames(_ text: (String) -> String) -> String {
    let names = targets.map(text)
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The description of the relationship in messages.
  var sentence: String {
    "to \(isMany ? "many" : "one") of " + targetNames(\.quoted)
      + (typeName.map { " by \($0.quoted)" } ?? "")
  }

  /// Writes the relationship without its name, in the form of a schema file.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let typeName {
        writer.object("to") { writer in
          for variant in variants { writer.member(variant.type, variant.entity) }
        }
        writer.member("by", typeName)
      } else {
        writer.member("to", target)
      }
      if isMany { writer.member("many", true) }
    }
  }
}
