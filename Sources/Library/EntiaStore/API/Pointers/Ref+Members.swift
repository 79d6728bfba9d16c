extension Ref {
  /// A pointer to a part of the value.
  public subscript<Part: Sendable>(
    keyPath: any WritableKeyPath<Value, Part> & Sendable
  ) -> Ref<Part> {
    map(
      .member(keyPath), get: { $0[keyPath: keyPath] }, edit: { try $1(&$0[keyPath: keyPath]) })
  }

  /// A pointer to a field of an optional value; `nil` while the value is `nil`.
  ///
  /// Writes are refused with a ``RefError`` while the value is `nil`, or if `nil` is written to a
  /// field that is not optional.
  public subscript<Wrapped: Sendable, Part: Sendable>(
    keyPath: any WritableKeyPath<Wrapped, Part> & Sendable
  ) -> Ref<Part?> where Value == Wrapped? {
    map(
      .member(keyPath), get: { $0?[keyPath: keyPath] },
      edit: { whole, body in
        var part = whole?[keyPath: keyPath]
        try body(&part)
        switch (whole != nil, part) {
        case (true, let part?): whole?[keyPath: keyPath] = part
        case (true, nil): throw RefError.nilField(type: "\(Part.self)")
        case (false, nil): break
        case (false, _?): throw RefError.lost(what: "\(Wrapped.self)")
        }
      })
  }

  /// A pointer to an optional field of an optional value; `nil` while the value or the field is
  /// `nil`.
  ///
  /// Writes are refused with a ``RefError`` while the value is `nil`.
  public subscript<Wrapped: Sendable, Part: Sendable>(
    keyPath: any WritableKeyPath<Wrapped, Part?> & Sendable
  ) -> Ref<Part?> where Value == Wrapped? {
    map(
      .member(keyPath), get: { $0?[keyPath: keyPath] },
      edit: { whole, body in
        var part = whole?[keyPath: keyPath]
        try body(&part)
        if whole != nil {
          whole?[keyPath: keyPath] = part
        } else if part != nil {
          throw RefError.lost(what: "\(Wrapped.self)")
        }
      })
  }
}
