package io.coppice.vasa.alert;

/// A hearer of what is new about alerts. [#isReady], [#raised] and [#resolved] are called while the
/// board is locked, so they neither wait nor call the board.
public interface AlertListener {

  /// Reads what it kept, before the board does so. It may ask the database, and is not called under
  /// the lock.
  void load();

  /// Whether it can be told of anything. The board waits with its news until all can.
  boolean isReady();

  /// An alert was raised, or became worse.
  void raised(Alert alert);

  /// The cause of an alert that was told of is gone.
  void resolved(Alert alert);

  /// Makes durable what was told so far, before the board's rows say that it was told.
  void save();
}
