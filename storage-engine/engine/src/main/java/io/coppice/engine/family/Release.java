package io.coppice.engine.family;

/// A release of entries that the deletion of versions in an order would lead to: either of all own
/// entries of an account, or of those that its only child hides.
///
/// It is an event of its [ReleaseTrial], numbered in the order in which they come about.
public final class Release {

  private final ReleaseTrial trial;
  private final int step;
  private final int event;
  private final AccountCopy owner;
  private final Version in;
  private final Version hiding;
  private final long counted;
  private long entries;

  /// @param in the version in whose map the entries stand
  /// @param hiding the version in whose map they do not stand; the same one: all of them are meant
  Release(
      ReleaseTrial trial,
      int step,
      int event,
      AccountCopy owner,
      Version in,
      Version hiding,
      long entries) {
    this.trial = trial;
    this.step = step;
    this.event = event;
    this.owner = owner;
    this.in = in;
    this.hiding = hiding;
    this.entries = entries;
    counted = owner.counted();
  }

  /// The place in the order of the version whose deletion leads to it.
  public int step() {
    return step;
  }

  int event() {
    return event;
  }

  AccountCopy owner() {
    return owner;
  }

  Version in() {
    return in;
  }

  Version hiding() {
    return hiding;
  }

  /// Whether entries born in a version are of the owner's, as they are when it comes about. Called
  /// under the lock of [Families].
  boolean isOf(int born) {
    return trial.isOf(this, born);
  }

  boolean isOfAll() {
    return in == hiding;
  }

  /// How many entries are released.
  public long entries() {
    return entries;
  }

  void correct(long difference) {
    entries += difference;
  }

  /// Most of the owner's entries that may be of blocks with several placements. If there are none,
  /// each entry releases a block.
  public long counted() {
    return counted;
  }

  /// Whether it is the same event of a later trial.
  boolean isLike(Release other) {
    return step == other.step && in == other.in && hiding == other.hiding;
  }
}
