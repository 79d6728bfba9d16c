extension EntityIdentifier: ExpressibleByIntegerLiteral
where Entity.EntityIDRawType: ExpressibleByIntegerLiteral {
  /// Creates an ID from an integer literal.
  @inlinable
  public init(integerLiteral value: Entity.EntityIDRawType.IntegerLiteralType) {
    self.init(Entity.EntityIDRawType(integerLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByUnicodeScalarLiteral
where Entity.EntityIDRawType: ExpressibleByUnicodeScalarLiteral {
  /// Creates an ID from a literal of one scalar.
  @inlinable
  public init(unicodeScalarLiteral value: Entity.EntityIDRawType.UnicodeScalarLiteralType) {
    self.init(Entity.EntityIDRawType(unicodeScalarLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByExtendedGraphemeClusterLiteral
where Entity.EntityIDRawType: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates an ID from a literal of one character.
  @inlinable
  public init(
    extendedGraphemeClusterLiteral value: Entity.EntityIDRawType.ExtendedGraphemeClusterLiteralType
  ) {
    self.init(Entity.EntityIDRawType(extendedGraphemeClusterLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByStringLiteral
where Entity.EntityIDRawType: ExpressibleByStringLiteral {
  /// Creates an ID from a string literal.
  @inlinable
  public init(stringLiteral value: Entity.EntityIDRawType.StringLiteralType) {
    self.init(Entity.EntityIDRawType(stringLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByStringInterpolation
where
  Entity.EntityIDRawType: ExpressibleByStringInterpolation,
  Entity.EntityIDRawType.StringLiteralType == Entity.EntityIDRawType.StringInterpolation
    .StringLiteralType
{
  /// Creates an ID from an interpolated string.
  @inlinable
  public init(stringInterpolation: Entity.EntityIDRawType.StringInterpolation) {
    self.init(Entity.EntityIDRawType(stringInterpolation: stringInterpolation))
  }
}
