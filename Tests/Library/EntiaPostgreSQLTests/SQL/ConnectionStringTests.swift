import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite struct ConnectionStringTests {
  @Test(
    "No message repeats a part of the password",
    arguments: [
      "postgresql://app:sec@ret@host/db", "postgresql://app:sec/ret@host/db",
      "postgresql://app:sec?ret@host/db", "postgresql://app:secret%zz@host/db",
      "host=h password = 'secret", "secret", "password=a secret", "host=h port=secret",
      "postgresql://h:secret/db", "postgresql://app:sec:ret@/nowhere/",
      "postgresql://app:secret@127.0.0.1:1/db", "host=/nowhere-at-all password=secret",
    ])
  func secrets(string: String) {
    do {
      _ = try PostgreSQLConnection(try ConnectionString(string), Interruption())
      Issue.record("connected")
    } catch {
      for word in ["secret", "sec@ret", "ret@host"] {
        expectFalse("\(error)".contains(word))
        expectFalse("\(SharedDatabaseError(error, space: "s"))".contains(word))
      }
    }
  }

  @Test func optionsAreThoseOfLibpq() throws {
    let pairs = try ConnectionString("host=a,b port=1,2 dbname='x y' password=p")
    expectEqual(pairs.options["dbname"], "x y")
    expectTrue(pairs.hasPassword)
    let uri = try ConnectionString("postgresql://user@host:5432/db?application_name=a%40b")
    expectEqual(uri.options["user"], "user")
    expectEqual(uri.options["application_name"], "a@b")
    expectFalse(uri.hasPassword)
  }
}
