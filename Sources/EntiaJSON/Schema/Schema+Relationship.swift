extension Schema {
  /// A member that names rows: of one entity, or of several that a type tells apart.
  public struct Relationship: Hashable, Sendable {
    /// What a type says of the object that has it.
    public struct Variant: Hashable, Sendable {
      /// The type, as it stands in the object.
      public let type: String
      /// The entity whose row the object is.
      public let entity: String
    }

    /// The name of the member.
    public let name: String
    /// The entity whose rows it names; the first one of several.
    public let target: String
    /// Says whether it names a list of rows, or one.
    public let isMany: Bool
    /// The member of each object that says its type; nil where all rows are of one entity.
    public let typeName: String?
    /// The types, sorted by their UTF-8; none where all rows are of one entity.
    public let variants: [Variant]

    /// Makes a relationship to one entity.
    public init(_ name: String, to target: String, isMany: Bool = false) {
      self.name = name
      self.target = target
      self.isMany = isMany
      typeName = nil
      variants = []
    }

    /// Makes a relationship to several entities: each object says its type, and so does each
    /// reference, as `{"type": "photo", "id": 1}`.
    ///
    /// ```swift
    /// Schema.Relationship("media", to: ["photo": "photos", "video": "videos"], isMany: true)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the member.
    ///   - types: the entity of each type; one at least.
    ///   - typeName: the member of each object that says its type.
    ///   - isMany: whether the member is a list.
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

    /// The entities whose rows it names, each once, sorted by their UTF-8.
    public var targets: [String] {
      guard typeName != nil else { return [target] }
      return Set(variants.map { ExactString($0.entity) }).sorted().map(\.string)
    }

    /// Says whether two relationships have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
      left.isMany == right.isMany && left.name.isExactly(right.name)
        && left.target.isExactly(right.target)
        && left.typeName.map(ExactString.init) == right.typeName.map(ExactString.init)
        && left.variants.map(\.exact) == right.variants.map(\.exact)
    }
  }
}

extension Schema.Relationship.Variant {
  fileprivate var exact: [ExactString] { [ExactString(type), ExactString(entity)] }
}

extension Schema.Relationship {
  /// Says whether it may name rows of an entity.
  func names(_ entity: String) -> Bool {
    typeName == nil
      ? target.isExactly(entity) : variants.contains { $0.entity.isExactly(entity) }
  }

  /// The type that a reference to a row of an entity says: of several the first.
  func type(of entity: String) -> String? {
    variants.first { $0.entity.isExactly(entity) }?.type
  }

  /// The entities that it names, as messages call them.
  func targetNames(_ text: (String) -> String) -> String {
    let names = targets.map(text)
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// What messages call the relationship.
  var sentence: String {
    "to \(isMany ? "many" : "one") of " + targetNames(\.quoted)
      + (typeName.map { " by \($0.quoted)" } ?? "")
  }

  /// Writes what the relationship is, without its name, as a schema says it.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("to")
    if let typeName {
      writer.beginObject()
      for variant in variants {
        writer.name(variant.type)
        writer.string(variant.entity)
      }
      writer.endObject()
      writer.name("by")
      writer.string(typeName)
    } else {
      writer.string(target)
    }
    if isMany {
      writer.name("many")
      writer.bool(true)
    }
    writer.endObject()
  }
}
