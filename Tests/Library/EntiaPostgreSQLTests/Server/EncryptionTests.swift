import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite(
  "Encrypted connections", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"),
  .enabled(if: LocalServer.openSSL != nil, "there is no openssl"))
struct EncryptionTests {
  @Test("libpq's sslmode decides: a server is verified by its certificate, and refused by another")
  func modes() async throws {
    let server = try await LocalServer(isEncrypted: true)
    for (mode, root) in [
      ("require", nil), ("verify-ca", server.certificate), ("verify-full", server.certificate),
    ] {
      let string = server.encryptedString(mode: mode, root: root)
      try await SharedDatabase<Cabinet>.install(connecting: string)
      let shared = try await SharedDatabase<Cabinet>(connecting: string, space: mode)
      try await expectEqual(shared.load(), Cabinet())
      let encrypted = try await shared.run { connection in
        try connection.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
          .rows.first?.text(at: 0)
      }
      expectEqual(encrypted, "t")
      await shared.close()
    }
    let other = server.encryptedString(mode: "verify-full", root: server.otherCertificate)
    await #expect {
      _ = try await SharedDatabase<Cabinet>(connecting: other, space: "space")
    } throws: { error in
      guard case SharedDatabaseError.cannotConnect(let reason) = error else { return false }
      return reason.contains("certificate verify failed") && !reason.contains(server.folder)
    }
    server.stop()
  }
}
