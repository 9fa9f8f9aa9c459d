package io.coppice.vasa.watch;

/// The state of a volume under watch.
public enum WatchState {
  /// Too little was written to know what is usual.
  LEARNING,
  /// What is written is as usual.
  NORMAL,
  /// The last windows stood out, but not enough of them yet.
  RISING,
  /// Enough windows in a row stood out.
  SUSPECT
}
