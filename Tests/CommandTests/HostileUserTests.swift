import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

/// Another user of the machine, who can write into the inbox and plants files and links there.
@Suite("A second user of the inbox", .needsRoot("only root can act as another user"), .serialized)
struct HostileUserTests {
  private static let secret = "planted-secret-0123456789"
  private static let asNobody = "setpriv --reuid=nobody --regid=nogroup --clear-groups"
  /// The prefixes that start the program as root, and as another user who can reach the server.
  static let users: [[String]] = [
    [], ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"],
  ]

  /// A good night with an inbox that every user can write to, and a secret file beside the inbox.
  private func night() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    let folder = command.night.folder.path
    try Data(Self.secret.utf8).write(to: URL(filePath: "\(folder)/secret"))
    let made = shell(
      """
      set -e
      chmod 0666 '\(folder)/secret'
      mkdir '\(folder)/outside' '\(folder)/reports'
      chown postgres '\(folder)/reports'
      cp '\(folder)/secret' '\(folder)/outside/file'
      chmod -R a+rwX '\(folder)/inbox' '\(folder)/outside'
      """)
    try #require(made.status == 0, "\(made.output)")
    return command
  }

  @Test(
    "planted links and swapped folders reveal no secret in output, reports or rejections",
    arguments: users)
  func reads(user: [String]) throws {
    let command = try night()
    let folder = command.night.folder.path
    let planted = shell(
      """
      cd '\(folder)/inbox/deliveries' && \(Self.asNobody) sh -c '
      ln -s ../../secret relative; ln -s \(folder)/secret absolute; ln -s /etc/shadow shadow
      ln -s /proc/self/environ environment; mkfifo pipe; mkdir swapped; echo nonsense > swapped/file'
      """)
    try #require(planted.status == 0, "\(planted.output)")
    let swapper = try Program(
      running: [
        "sh", "-c",
        """
        cd '\(folder)/inbox/deliveries' && exec \(Self.asNobody) sh -c '
        while :; do mv swapped kept~; ln -s ../../outside swapped; rm swapped; mv kept~ swapped; done'
        """,
      ],
      environment: ["PATH": "/usr/bin:/bin"])
    defer {
      swapper.send(SIGKILL)
      _ = try? swapper.ended()
    }
    for _ in 1...3 {
      let ended = try command.run(
        environment: ["TIEOUT_SHARED_SECRET": Self.secret, "PGPASSWORD": Self.secret], prefix: user)
      #expect(ended.status == 2, "\(ended.errors)")
      #expect(!(ended.output + ended.errors).contains(Self.secret))
    }
    for (name, text) in try command.files() {
      #expect(!text.contains(Self.secret) && !text.contains("root:"), "\(name)")
    }
    let kept = try command.night.database.draw("select one::text from tieout.rejection as one")
    #expect(!kept.contains(Self.secret) && !kept.contains("root:"))
    let secret = try command.value(
      "select count(*) from tieout.rejection where position('planted'::bytea in raw) > 0")
    #expect(secret == "0")
    let reasons = try command.value(
      """
      select string_agg(distinct reason, ' ' order by reason) from tieout.rejection
      where path in ('deliveries/relative', 'deliveries/absolute', 'deliveries/shadow',
      'deliveries/environment', 'deliveries/pipe')
      """)
    #expect(reasons == "link_outside not_a_file")
  }

  @Test("a state directory of another user is refused with the name of its owner, and what to do")
  func stateDirectory() throws {
    let command = try CommandNight()
    let state = command.night.folder.appending(path: "state").path
    try #require(shell("mkdir -m 0700 '\(state)' && chown postgres '\(state)'").status == 0)
    let ended = try command.start(
      ["runs"], environment: ["TIEOUT_STATE_DIRECTORY": state],
      prefix: Self.asNobody.split(separator: " ").map(String.init)
    ).ended()
    #expect(ended.status == 69)
    #expect(
      ended.errors.contains("it belongs to postgres, and this command runs as nobody"),
      "\(ended.errors)")
    #expect(ended.errors.contains("Run the command as postgres, or let root give it to nobody:"))
  }

  @Test("planted links do not make the program write outside its folders", arguments: users)
  func writes(user: [String]) throws {
    let server = try ScriptedServer { _ in .answer(200, [:], "[\"book.emma\"]") }
    let command = try night()
    let folder = command.night.folder.path
    let planted = shell(
      """
      mkdir -m 1777 '\(folder)/metrics'
      cd '\(folder)/inbox/catalog' && \(Self.asNobody) sh -c '
      ln -s ../../outside fetched; ln -s ../secret ../../metrics/tieout.prom' || true
      """)
    try #require(planted.status == 0, "\(planted.output)")
    let metrics = "\(folder)/metrics/tieout.prom"
    let environment = ["TIEOUT_CATALOGUE_URLS": server.address("/list.json")]
    let ended = try command.run(
      "--metrics-file", metrics, environment: environment, prefix: user)
    #expect(ended.output.contains("it is a link, which is not followed there"), "\(ended.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/outside") == ["file"])
    let text = try String(contentsOfFile: "\(folder)/secret", encoding: .utf8)
    #expect(text == Self.secret)
    // The planted link is neither followed nor replaced.
    #expect(ended.errors.contains("\(metrics) cannot be written: it is a symbolic link"))
    // After the planted link is removed, the run creates a folder for the fetched catalogue.
    let made = shell(
      """
      cd '\(folder)/inbox/catalog' && rm fetched
      """)
    try #require(made.status == 0)
    #expect(try command.run(environment: environment, prefix: user).status == 0)
    let fetched = try FileManager.default.subpathsOfDirectory(
      atPath: "\(folder)/inbox/catalog/fetched")
    #expect(fetched.contains { $0.hasSuffix(".newest.json") })
  }

  @Test("root does not follow another user's link in the path of the reports or the inbox")
  func way() throws {
    let command = try night()
    let folder = command.night.folder.path
    let planted = shell(
      """
      mkdir -m 0777 '\(folder)/open' && cd '\(folder)/open' && \(Self.asNobody) sh -c '
      ln -s ../outside reports; ln -s ../inbox inbox'
      """)
    try #require(planted.status == 0, "\(planted.output)")
    let words = [
      "run", "--database", command.night.database.connectionString, "--as-of", CommandNight.asOf,
    ]
    let reports = try command.start(
      words + ["--inbox", command.night.inbox.path, "--reports", "\(folder)/open/reports"]
    ).ended()
    #expect(reports.status == 73)
    #expect(reports.errors.contains("a link of another user"), "\(reports.errors)")
    let inbox = try command.start(
      words + ["--inbox", "\(folder)/open/inbox", "--reports", "\(folder)/reports"]
    ).ended()
    #expect(inbox.status == 78)
    #expect(inbox.errors.contains("a link of another user"), "\(inbox.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/outside") == ["file"])
    // A folder that every user can write to is used, with a warning.
    let warned = try command.start(
      words + ["--inbox", command.night.inbox.path, "--reports", "\(folder)/open"]
    ).ended()
    #expect(warned.status == 0, "\(warned.errors)")
    #expect(warned.output.contains("chmod o-w \(folder)/open"), "\(warned.output)")
  }
}
