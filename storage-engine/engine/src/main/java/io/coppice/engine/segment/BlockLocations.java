package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The locations that readers need to find a block: the zone of its segment, and where it was
/// moved. The committer changes it; the thread that writes a checkpoint also changes zones. Any
/// thread may read it, and may put the content of a stored page in place of the page.
final class BlockLocations {

  /// The places of the moved blocks of a segment.
  sealed interface Moved permits RelocatedBlocks, StoredPage, LoadedPlaces {}

  /// The places read from a stored page.
  record LoadedPlaces(StoredPage page, RelocatedBlocks places) implements Moved {}

  /// In place of a location, for a block whose location is in a stored page.
  static final long IN_PAGE = -2;

  private static final int PAGE = 1024;

  // By segment id; a page is there while it says something of a segment.
  private volatile @Nullable Page[] pages = new Page[0];

  private static final class Page {
    private static final VarHandle ZONE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle MOVED = MethodHandles.arrayElementVarHandle(Moved[].class);

    private final int[] zones = new int[PAGE]; // zone + 1, 0 = none
    private final @Nullable Moved[] moved = new Moved[PAGE];

    boolean isEmpty() {
      for (int i = 0; i < PAGE; i++) {
        if (zones[i] != 0 || moved[i] != null) {
          return false;
        }
      }
      return true;
    }
  }

  synchronized void setZone(int id, int zone) {
    Page.ZONE.setRelease(page(id).zones, id % PAGE, zone + 1);
  }

  private Page page(int id) {
    @Nullable Page[] all = pages;
    int number = id / PAGE;
    if (number >= all.length) {
      all = Arrays.copyOf(all, Math.max(number + 1, 2 * all.length));
    }
    Page page = all[number];
    if (page == null) {
      page = new Page();
      all[number] = page;
    }
    pages = all;
    return page;
  }

  /// Sets the moved blocks of a segment that has, or had, a zone.
  synchronized void setMoved(int id, @Nullable Moved moved) {
    Page.MOVED.setRelease(page(id).moved, id % PAGE, moved);
  }

  /// Forgets a segment that is gone, when no reader may ask for a block of it.
  synchronized void forget(int id) {
    Page page = page(id);
    Page.ZONE.setRelease(page.zones, id % PAGE, 0);
    Page.MOVED.setRelease(page.moved, id % PAGE, (Moved) null);
    if (page.isEmpty()) {
      @Nullable Page[] all = pages;
      all[id / PAGE] = null;
      pages = all;
    }
  }

  /// As [#setMoved], if it is still `before`; from any thread.
  boolean replace(int id, Moved before, Moved now) {
    Page page = pageOf(id);
    return page != null && Page.MOVED.compareAndSet(page.moved, id % PAGE, before, now);
  }

  private @Nullable Page pageOf(int id) {
    @Nullable Page[] all = pages;
    return id / PAGE < all.length ? all[id / PAGE] : null;
  }

  /// The moved blocks; absent if no block was moved, or there is no such segment.
  @Nullable Moved moved(int id) {
    Page page = pageOf(id);
    return page == null ? null : (Moved) Page.MOVED.getAcquire(page.moved, id % PAGE);
  }

  /// Number of a block among all blocks of all zones, -1 if it is nowhere, or [#IN_PAGE].
  long placeOf(int id, int block, int blocksPerZone) {
    return switch (moved(id)) {
      case null -> home(id, block, blocksPerZone);
      case StoredPage _ -> IN_PAGE;
      case LoadedPlaces loaded -> placeOf(id, block, blocksPerZone, loaded.places);
      case RelocatedBlocks places -> placeOf(id, block, blocksPerZone, places);
    };
  }

  /// As above, for a caller that knows where the moved blocks lie.
  long placeOf(int id, int block, int blocksPerZone, @Nullable RelocatedBlocks places) {
    long place = places == null ? RelocatedBlocks.HOME : places.of(block);
    return place == RelocatedBlocks.HOME ? home(id, block, blocksPerZone) : place;
  }

  private long home(int id, int block, int blocksPerZone) {
    Page page = pageOf(id);
    int zone = page == null ? -1 : (int) Page.ZONE.getAcquire(page.zones, id % PAGE) - 1;
    return zone < 0 ? -1 : (long) zone * blocksPerZone + block;
  }

  /// Bytes of memory that it takes, about.
  long bytes() {
    long bytes = 0;
    for (Page page : pages) {
      bytes += 4 + (page == null ? 0 : 48 + 8L * PAGE);
    }
    return bytes;
  }
}
