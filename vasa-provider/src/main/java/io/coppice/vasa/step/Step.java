package io.coppice.vasa.step;

/// A step of a change: what is stable, and what is not yet, if a crash falls there.
public enum Step {
  /// Nothing has been written.
  BEGINNING,
  /// The operation, its task and the rows of what is to be made are written; the pool knows
  /// nothing.
  INTENDED,
  /// Space is set aside in the pool for a policy that it does not know yet.
  RESERVED,
  /// A clone is in the pool, but not as large yet as it was asked for.
  CLONED,
  /// One more slice of a large copy is in the pool, which does not know the copy itself.
  PART_COPIED,
  /// The pool has the change; the rows say it is under way.
  CARRIED_OUT,
  /// The pool refused; the rows are not taken back.
  REFUSED,
  /// Rows and task are final; the caller has no answer yet.
  CONCLUDED,
  /// The pool has the change: a binding, which has no row, or a container that goes and whose row
  /// still exists.
  IN_POOL,
  /// The rows have the change too. Of a new container: the pool does not have it yet.
  IN_ROWS,
  /// Recovery has undone a part in the pool; the operation's row still exists.
  UNDONE_IN_POOL,
  /// Recovery has ended an operation.
  SETTLED
}
