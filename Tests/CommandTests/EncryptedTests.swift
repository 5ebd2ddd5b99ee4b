import Foundation
import Testing

/// A PostgreSQL server that accepts encrypted connections.
///
/// Its certificate is for `localhost` and comes from an authority of its own.
private struct EncryptedServer {
  /// The root certificate of the server's certificate, and an unrelated root certificate.
  let root, otherRoot: String
  private let server: ThrowawayServer
  private let port = Int.random(in: 20_000...30_000)

  init() throws {
    server = try ThrowawayServer()
    root = "\(server.folder)/root.pem"
    otherRoot = "\(server.folder)/other.pem"
    let made = shell(
      """
      set -e
      cd '\(server.folder)'
      key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
      for name in root other; do
        openssl req -x509 $key -days 2 -subj "/CN=$name" -keyout $name.key -out $name.pem
      done
      openssl req $key -subj /CN=server -keyout server.key -out server.csr
      echo 'subjectAltName=DNS:localhost' >extensions
      openssl x509 -req -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 \
        -extfile extensions -out server.pem
      chmod 600 server.key
      chmod 644 *.pem
      chown --reference=data server.key server.pem
      cat >>data/postgresql.conf <<CONF
      ssl = on
      ssl_cert_file = '\(server.folder)/server.pem'
      ssl_key_file = '\(server.folder)/server.key'
      listen_addresses = 'localhost'
      port = \(port)
      CONF
      """)
    try #require(made.status == 0, "\(made.output)")
    try server.stop("fast")
    try server.start()
  }

  func address(host: String = "localhost", mode: String = "verify-full", root: String) -> String {
    "postgresql://postgres@\(host):\(port)/postgres?sslmode=\(mode)&sslrootcert=\(root)"
  }
}

@Suite("An encrypted connection to the server") struct EncryptedTests {
  @Test("runs and psql verify the server's certificate as libpq does")
  func verified() throws {
    let server = try EncryptedServer()
    let command = try CommandNight()
    try command.putGoodNight()
    let good = server.address(root: server.root)
    let ended = try command.run(environment: ["TIEOUT_DATABASE": good], isOwnDatabase: false)
    #expect(ended.status == 0, "\(ended.errors)")
    let psql = try command.start(
      [
        "psql", "--database", good, "--", "-Atc",
        "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
      ]
    ).ended()
    #expect(psql.output == "t\n", "\(psql.errors)")
    // A host name that is not in the certificate, an unrelated root, and no root.
    for (address, reason) in [
      (server.address(host: "127.0.0.1", root: server.root), "does not match host name"),
      (server.address(root: server.otherRoot), "certificate verify failed"),
      (server.address(root: "/nowhere/root.pem"), "root certificate file \"/nowhere/root.pem\""),
    ] {
      let refused = try command.run(environment: ["TIEOUT_DATABASE": address], isOwnDatabase: false)
      #expect(refused.status == 69, "\(refused.errors)")
      #expect(refused.errors.contains("for TLS: sslmode, "), "\(refused.errors)")
      #expect(refused.errors.contains(reason), "\(refused.errors)")
    }
    // verify-ca does not check the host name.
    let other = server.address(host: "127.0.0.1", mode: "verify-ca", root: server.root)
    #expect(
      try command.run(environment: ["TIEOUT_DATABASE": other], isOwnDatabase: false).status == 0)
  }
}
