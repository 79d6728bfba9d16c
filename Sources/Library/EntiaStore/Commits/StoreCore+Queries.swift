import EntiaDatabase

extension StoreCore {
  /// Returns a query: an existing one that is known to be equal, or a new one.
  func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> LiveQuerySource<State, Storage, Entity> {
    shared(descriptor, path) {
      LiveQuerySource(broadcaster, detector(at: path), path, descriptor, rows: rows)
    }
  }

  /// Returns a query for a number: an existing one that is known to be equal, or a new one.
  func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> LiveCountSource<State, Storage, Entity> {
    shared(descriptor, path) {
      LiveCountSource(broadcaster, detector(at: path), path, descriptor, rows: rows)
    }
  }

  private func shared<Source: AnyObject & Sendable, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, _ path: any AnyKeyPath & Sendable,
    make: () -> Source
  ) -> Source {
    guard let definitions, let fetch = descriptor.definition else { return make() }
    let definition = QueryDefinition(path: path, fetch: DefinitionID(fetch))
    return definitions.source(DefinitionID(definition), make: make)
  }
}

/// The identity of a query, shared by equal queries of one database.
private struct QueryDefinition: Hashable, Sendable {
  let path: any AnyKeyPath & Sendable
  let fetch: DefinitionID

  static func == (lhs: QueryDefinition, rhs: QueryDefinition) -> Bool {
    lhs.path == rhs.path && lhs.fetch == rhs.fetch
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(fetch)
  }
}
