extension StorageContents {
  /// Returns the key path of the index of the answers to requests of a type with entities of a
  /// type.
  ///
  /// Stops the process with a message unless the database has exactly one: the program does not say
  /// which one it means. No data can cause this.
  package static func answersPath<Request, Entity>(
    to request: Request.Type, of entity: Entity.Type
  ) -> PartPath<Self, Indexes.Responses<Request, Entity>> {
    let search = AnswerSearch<Self, Request, Entity>.found
    guard search.paths.count == 1 else {
      preconditionFailure(search.message)
    }
    return search.paths[0]
  }
}

/// Finds the indexes of the answers to requests of a type with entities of a type.
struct AnswerSearch<
  Contents: StorageContents, Request: Hashable & Codable & Sendable, Entity: EntityType
>: StorageVisitor {
  private(set) var paths: [PartPath<Contents, Indexes.Responses<Request, Entity>>] = []
  private var names: [String] = []

  static var found: Self {
    var search = Self()
    Contents.visitParts(&search)
    return search
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.self == Indexes.Responses<Request, Entity>.self else { return }
    names.append(name)
    paths.append(
      recast(path, as: PartPath<Contents, Indexes.Responses<Request, Entity>>.self))
  }

  /// The reason why there is not exactly one index.
  var message: String {
    let type = "Indexes.Responses<\(Request.self), \(Entity.entityName)>"
    let storage = TypeName.ofStorage(of: Contents.self)
    return names.isEmpty
      ? "\(storage) has no \(type); add an index, as in '@Index var answers: \(type) = .init()'"
      : "\(storage) has \(names.count) parts of type \(type): \(names.joined(separator: ", ")); an "
        + "answer needs exactly one"
  }
}

extension NormalizedStorageType {
  /// Returns the answers to requests of a type with entities of a type, from the only index of
  /// them.
  package func answers<Request, Entity>(
    to request: Request.Type, of entity: Entity.Type
  ) -> Indexes.Responses<Request, Entity> {
    snapshot.contents[keyPath: Contents.answersPath(to: request, of: entity)]
  }
}
