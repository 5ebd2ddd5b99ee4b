import Foundation
import Glibc
public import Testing

/// The conditions of tests and suites.
///
/// If a condition is not met, the test is skipped, and the end of the run shows the reason that is
/// written here.
extension Trait where Self == ConditionTrait {
  /// Needs a program.
  ///
  /// `scripts/condense` recognizes a missing tool by the first words of the reason. In CI a missing
  /// tool fails the run.
  public static func needs(_ tool: Tool) -> Self {
    .enabled(if: tool.path != nil, "missing tool: \(tool.rawValue)")
  }

  /// Needs the genuine files.
  public static var needsCorpus: Self {
    .enabled(if: Corpus.folder != nil, "no genuine files: there is no ../shared/corpus")
  }

  /// Needs a cluster: the connection string of a coordinator, in a database that tests may empty.
  public static var needsCluster: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["TIEOUT_TEST_CLUSTER"] != nil,
      "no cluster: TIEOUT_TEST_CLUSTER names no coordinator")
  }

  /// Needs root's rights.
  public static func needsRoot(_ why: String) -> Self {
    .enabled(if: geteuid() == 0, "not root: \(why)")
  }

  /// Needs a user of the system.
  ///
  /// `scripts/install-needed` creates it.
  public static func needsUser(_ name: String) -> Self {
    .enabled(if: unsafe getpwnam(name) != nil, "no system user \(name)")
  }

  /// Needs the right to mount file systems.
  public static func needsMount(_ mayMount: Bool) -> Self {
    .enabled(if: mayMount, "no right to mount file systems")
  }
}
