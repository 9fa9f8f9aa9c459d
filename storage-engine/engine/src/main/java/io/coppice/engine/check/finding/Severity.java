package io.coppice.engine.check.finding;

/// The meaning of a finding for the pool.
public enum Severity {

  /// Something that the pool needs is not what it must be.
  DAMAGE,

  /// The pool is whole, but something beside it is not as the engine leaves it: redundancy or space
  /// is lost.
  WARNING,

  /// What a crash may leave, for the next open to clear away. Not counted as a finding.
  NOTE
}
