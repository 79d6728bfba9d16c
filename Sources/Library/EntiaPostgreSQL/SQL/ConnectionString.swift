import EntiaSystemPostgreSQL

/// A connection string in the format of libpq: a URI, or pairs of keywords and values.
///
/// No message contains the string, because it may contain a password. A message of libpq about an
/// invalid string is not passed on either, because it repeats a part of the string. This part may
/// belong to the password.
package struct ConnectionString: Sendable {
  let options: [String: String]

  /// Parses a connection string.
  /// - Throws: `PostgreSQLFailure`, whose message does not contain the string.
  init(_ text: String) throws(PostgreSQLFailure) {
    try Self.checkURI(text)
    guard !text.utf8.contains(0), let first = PQconninfoParse(text, nil) else {
      throw Self.failure("libpq cannot parse it")
    }
    defer { PQconninfoFree(first) }
    var options: [String: String] = [:]
    var option = first
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    let ports = (options["port"] ?? "").split(separator: ",")
    guard ports.allSatisfy({ UInt16($0) != nil }) else {
      throw Self.failure("the port is no number")
    }
    self.options = options
  }

  var hasPassword: Bool { options["password"] != nil || options["sslpassword"] != nil }

  /// Returns whether a connection string contains a password; `false` for an invalid string.
  package static func hasPassword(_ text: String) -> Bool {
    do {
      return try ConnectionString(text).hasPassword
    } catch {
      return false
    }
  }

  /// Throws an error if characters of the password in a URI are not percent-encoded. libpq would
  /// then treat a part of the password as the host, the port or the database, and repeat that part
  /// in a message.
  private static func checkURI(_ text: String) throws(PostgreSQLFailure) {
    let prefixes = ["postgresql://", "postgres://"]
    guard let prefix = prefixes.first(where: { text.utf8.starts(with: $0.utf8) }) else { return }
    let rest = text.utf8.dropFirst(prefix.utf8.count)
    let address = rest.prefix { $0 != UInt8(ascii: "?") }
    let authority = address.prefix { $0 != UInt8(ascii: "/") }
    let (all, inAuthority) = (count(of: "@", in: address), count(of: "@", in: authority))
    let inQuery = count(of: "@", in: rest.dropFirst(address.count))
    // If only the query contains an `@`, the password may contain an unencoded `?`, and the
    // apparent query may be the rest of the password.
    if all > 1 || inAuthority < all || (inQuery > 0 && inAuthority == 0) {
      throw failure("percent-encode '@', ':', '/', '?' and '#' in the user and the password")
    }
  }

  private static func count(of character: Unicode.Scalar, in text: Substring.UTF8View) -> Int {
    text.count { $0 == UInt8(character.value) }
  }

  private static func failure(_ reason: String) -> PostgreSQLFailure {
    PostgreSQLFailure(
      .connectionString,
      "\(reason): the connection string is not repeated here, because it may contain a password")
  }
}
