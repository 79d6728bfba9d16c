/// A field of an entity, of any type, with a closure that copies it from one entity to another.
struct EntityField<Entity: EntityType>: Sendable {
  let copy: @Sendable (_ source: Entity, _ result: inout Entity) -> Void

  static func list<each Value>(
    _ paths: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> [Self] {
    var fields: [Self] = []
    for path in repeat each paths {
      fields.append(Self { source, result in result[keyPath: path] = source[keyPath: path] })
    }
    return fields
  }
}
