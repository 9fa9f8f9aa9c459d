package io.coppice.engine.check.finding;

/// The meaning of a finding for the pool.
public enum Severity {

  /// Something that the pool needs is wrong.
  DAMAGE,

  /// The pool is whole, but something beside it is not as the engine leaves it: redundancy or space
  /// is lost.
  WARNING,

  /// A thing that a crash may leave, and the next open clears away. Not counted as a finding.
  NOTE
}
