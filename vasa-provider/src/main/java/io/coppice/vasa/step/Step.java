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
  /// One more slice of a large copy is in the pool, which does not know the copy.
  PART_COPIED,
  /// The pool has the change; the rows say it is under way.
  CARRIED_OUT,
  /// The pool refused; the rows are not taken back.
  REFUSED,
  /// Rows and task are final; the caller was not answered.
  CONCLUDED,
  /// Changed in the pool, not in the rows: a binding, a container that goes.
  IN_POOL,
  /// Changed in the rows too; or, of a container that comes, not in the pool yet.
  IN_ROWS,
  /// Recovery has undone a part in the pool; the operation is still written down.
  UNDONE_IN_POOL,
  /// Recovery has ended an operation.
  SETTLED,
  /// Recovery has made one row agree with the pool.
  AGREED
}
