package io.coppice.engine.family;

import io.coppice.engine.map.Inner;
import io.coppice.engine.map.MapRoot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One state of a volume's content: the head of a volume, a snapshot, or a *ghost* that only its
/// children still need. Changed by the committer; parent and children under the lock of [Families].
public final class Version implements MapRoot {

  private final int id;
  final Account account;
  @Nullable Version parent;
  final List<Version> children = new ArrayList<>();
  private volatile @Nullable Inner root;
  private volatile long owned;
  private long shared;
  private boolean ghost;
  private @Nullable ReservationMeter meter;

  /// The listener for changes of a version's number of own placements.
  public interface ReservationMeter {
    void ownedChanged(long difference);
  }

  Version(int id, @Nullable Version parent, @Nullable Inner root, @Nullable Account above) {
    this.id = id;
    account = new Account(id, above);
    this.parent = parent;
    this.root = root;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public @Nullable Inner root() {
    return root;
  }

  @Override
  public void setRoot(@Nullable Inner root) {
    this.root = root;
  }

  /// The account of the entries that it holds alone.
  public Account account() {
    return account;
  }

  public @Nullable Version parent() {
    return parent;
  }

  /// Blocks that have stored data.
  public long mapped() {
    Inner now = root;
    return now == null ? 0 : now.mapped();
  }

  /// Number of placements that this version made, or took over from versions merged into it.
  public long owned() {
    return owned;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void addOwned(long difference) {
    owned = owned + difference;
    if (meter != null) {
      meter.ownedChanged(difference);
    }
  }

  /// Approximate number of its own placements of blocks that also have others, never too low.
  /// Writing over those takes space that it does not give back. Committer only.
  public long shared() {
    return shared;
  }

  public void addShared(long difference) {
    shared = Math.max(0, shared + difference);
    if (meter != null) {
      meter.ownedChanged(0);
    }
  }

  /// Restores the numbers that a checkpoint has.
  public void restoreSpace(long ownPlacements, long sharedPlacements) {
    owned = ownPlacements;
    shared = sharedPlacements;
  }

  /// Tells `meter` of every later change; absent: nobody.
  public void meter(@Nullable ReservationMeter meter) {
    this.meter = meter;
  }

  /// Whether no volume or snapshot is this version.
  public boolean isGhost() {
    return ghost;
  }

  void setGhost() {
    ghost = true;
  }
}
