package io.coppice.engine.segment;

import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The zones in which nothing lies, and which of them can be written as they are. Safe for any
/// thread.
///
/// A free zone is *fresh* if the medium has to be asked for its place first, *placed* if it has
/// one, and *prepared* if it was also written before. Fresh zones count as free as far as the
/// medium has places for them. Without a [Supply] all are placed.
///
/// A zone is *taken* while it is examined or prepared, just as while it is written. Only the one
/// that has taken a zone writes there.
public final class FreeZones {

  private static final int UNKNOWN = Integer.MAX_VALUE;

  /// Zones beyond the kept ones that a writer that can wait leaves to others.
  private static final int SPARE = 4;

  /// The source of the zones' places on the medium.
  public interface Supply {

    /// Gives a zone its place. The caller has taken the zone.
    ///
    /// @return false if there is none
    boolean provide(int zone);

    /// Asks to hurry: a writer found no zone, or no space.
    void hurry();
  }

  /// The state of a zone.
  private enum State {
    FRESH,
    PLACED,
    PREPARED
  }

  private final BitSet fresh = new BitSet(); // the free ones; guarded by this
  private final BitSet placed = new BitSet(); // likewise
  private final BitSet prepared = new BitSet(); // likewise
  private final BitSet hasPlace = new BitSet(); // free or not; guarded by this
  private int freshZones; // guarded by this
  private int placedZones; // guarded by this
  private int preparedZones; // guarded by this
  private @Nullable Supply supply; // guarded by this
  private @Nullable IntConsumer watcher; // guarded by this
  private int next; // guarded by this
  private volatile int kept;
  private int givable = UNKNOWN; // guarded by this
  private volatile int count;
  private volatile int withheld;

  /// Makes `size` zones, all of them free and placed.
  FreeZones(int size) {
    placed.set(0, size);
    hasPlace.set(0, size);
    placedZones = size;
    count = size;
  }

  /// Sets the supply: from now on zones have to be asked for.
  public synchronized void suppliedBy(Supply from) {
    supply = from;
    fresh.or(placed);
    freshZones = placedZones;
    placed.clear();
    placedZones = 0;
    hasPlace.clear();
    recount();
  }

  /// Free zones that can be taken.
  int count() {
    return count;
  }

  /// Free zones for which the medium has no place.
  public int withheld() {
    return withheld;
  }

  /// All that are free now.
  public synchronized BitSet all() {
    BitSet free = (BitSet) fresh.clone();
    free.or(placed);
    free.or(prepared);
    return free;
  }

  /// Tells `told` of each zone that is taken from now on. It must return at once, and may not ask
  /// for free zones.
  public synchronized void watch(IntConsumer told) {
    watcher = told;
  }

  synchronized boolean has(int zone) {
    return fresh.get(zone) || placed.get(zone) || prepared.get(zone);
  }

  // ---- taking

  /// Takes a zone, going round the device.
  ///
  /// @return its number, or -1 if there is none
  int take() {
    for (int zone = choose(); zone >= 0; zone = choose()) {
      if (ensurePlace(zone)) {
        return zone;
      }
    }
    return -1;
  }

  /// As long as others can be taken, placed zones are left to writers that must not be refused.
  private synchronized int choose() {
    boolean canAsk = givable > 0 && freshZones > 0;
    if (canAsk && placedZones + preparedZones <= kept) {
      return takeOf(fresh);
    }
    if (preparedZones > 0) {
      return takeOf(prepared);
    }
    return placedZones > 0 ? takeOf(placed) : canAsk ? takeOf(fresh) : -1;
  }

  private int takeOf(BitSet among) {
    int zone = nextOf(among);
    next = zone + 1;
    claim(zone);
    return zone;
  }

  private boolean ensurePlace(int zone) {
    Supply from;
    synchronized (this) {
      from = supply;
      if (from == null || hasPlace.get(zone)) {
        return true;
      }
    }
    if (from.provide(zone)) {
      provided(zone);
      return true;
    }
    refused(zone);
    return false;
  }

  private synchronized void provided(int zone) {
    hasPlace.set(zone);
  }

  /// Notes that the medium has no place for a taken zone, nor for others until it is asked again.
  public synchronized void refused(int zone) {
    givable = 0;
    add(zone, State.FRESH);
  }

  /// Marks a zone as taken.
  synchronized void claim(int zone) {
    if (fresh.get(zone)) {
      fresh.clear(zone);
      freshZones--;
    } else if (placed.get(zone)) {
      placed.clear(zone);
      placedZones--;
    } else if (prepared.get(zone)) {
      prepared.clear(zone);
      preparedZones--;
    }
    if (watcher != null) {
      watcher.accept(zone);
    }
    recount();
  }

  /// Gives back a zone in which nothing lies any more.
  void giveBack(int zone) {
    boolean isFresh;
    synchronized (this) {
      isFresh = !hasPlace.get(zone);
      add(zone, isFresh ? State.FRESH : State.PLACED);
    }
    if (isFresh) {
      hurry();
    }
  }

  private void add(int zone, State state) {
    if (has(zone)) {
      return;
    }
    switch (state) {
      case FRESH -> {
        fresh.set(zone);
        freshZones++;
      }
      case PLACED -> {
        placed.set(zone);
        placedZones++;
      }
      case PREPARED -> {
        prepared.set(zone);
        preparedZones++;
      }
    }
    recount();
  }

  private void recount() {
    int out = freshZones - Math.min(freshZones, givable);
    withheld = out;
    count = freshZones - out + placedZones + preparedZones;
  }

  // ---- supply

  /// Sets how many zones must be sure of their place, for writers that must never be refused.
  public void keep(int zones) {
    kept = zones;
  }

  /// Has the medium asked again, because a writer found no space.
  public void hurry() {
    Supply from;
    synchronized (this) {
      from = supply;
    }
    if (from != null) {
      from.hurry();
    }
  }

  /// Sets for how many more zones the medium has a place.
  public synchronized void setGivable(int zones) {
    givable = Math.max(0, zones);
    recount();
  }

  public synchronized boolean isAnyFresh() {
    return freshZones > 0;
  }

  /// Takes a zone if it is fresh.
  ///
  /// @return whether it was
  public synchronized boolean takeFresh(int zone) {
    boolean isFresh = fresh.get(zone);
    if (isFresh) {
      claim(zone);
    }
    return isFresh;
  }

  /// Takes the next fresh zone if fewer than the kept zones and `more` have their place, or if
  /// `anyway`.
  ///
  /// @return -1 if there is none, or none is needed
  public synchronized int takeNextFresh(int more, boolean anyway) {
    boolean isShort = placedZones + preparedZones < kept + more;
    int zone = freshZones > 0 && (anyway || isShort) ? nextOf(fresh) : -1;
    if (zone >= 0) {
      claim(zone);
    }
    return zone;
  }

  private int nextOf(BitSet among) {
    int zone = among.nextSetBit(next);
    return zone < 0 ? among.nextSetBit(0) : zone;
  }

  /// Gives back a zone that has its place now.
  public synchronized void giveBackPlaced(int zone) {
    hasPlace.set(zone);
    add(zone, State.PLACED);
  }

  // ---- preparation

  /// Zones that are free and prepared.
  public synchronized int prepared() {
    return preparedZones;
  }

  /// Takes the next zone to be written that is free, placed and not prepared, if fewer than `most`
  /// are prepared and zones are not short.
  ///
  /// @return -1 if there is none
  public synchronized int takeUnprepared(int most) {
    int zone = placedZones > 0 && preparedZones < most && !isShort() ? nextOf(placed) : -1;
    if (zone >= 0) {
      claim(zone);
    }
    return zone;
  }

  /// Whether a zone that is not written now may be missed.
  public synchronized boolean isShort() {
    return placedZones + preparedZones <= kept + SPARE;
  }

  /// Gives back a zone that was written from end to end.
  public synchronized void giveBackPrepared(int zone) {
    add(zone, State.PREPARED);
  }

  /// Gives back a zone that has no place.
  public synchronized void giveBackFresh(int zone) {
    add(zone, State.FRESH);
  }
}
