package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What readers need to find a block: the zone of its segment, and where it was moved. Changed by
/// the committer, zones also by the thread that writes a checkpoint; read by anyone, who may put
/// what a stored page says in place of the page.
final class Whereabouts {

  /// Where blocks of a segment were moved.
  sealed interface Moved permits Places, StoredPage, LoadedPlaces {}

  /// What a stored page says.
  record LoadedPlaces(StoredPage page, Places places) implements Moved {}

  /// Of a block of which a stored page says where it lies.
  static final long IN_PAGE = -2;

  private static final int PAGE = 1024;

  // By segment id; pages only ever appear.
  private volatile Page[] pages = new Page[0];

  private static final class Page {
    private static final VarHandle ZONE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle MOVED = MethodHandles.arrayElementVarHandle(Moved[].class);

    private final int[] zones = new int[PAGE]; // zone + 1, 0 = none
    private final @Nullable Moved[] moved = new Moved[PAGE];
  }

  synchronized void setZone(int id, int zone) {
    Page[] all = pages;
    int page = id / PAGE;
    if (page >= all.length) {
      all = Arrays.copyOf(all, Math.max(page + 1, 2 * all.length));
    }
    if (all[page] == null) {
      all[page] = new Page();
    }
    Page.ZONE.setRelease(all[page].zones, id % PAGE, zone + 1);
    pages = all;
  }

  /// Of a segment that has, or had, a zone.
  void setMoved(int id, @Nullable Moved moved) {
    Page.MOVED.setRelease(pages[id / PAGE].moved, id % PAGE, moved);
  }

  /// As [#setMoved], if it is still `before`; from any thread.
  boolean replace(int id, Moved before, Moved now) {
    return Page.MOVED.compareAndSet(pages[id / PAGE].moved, id % PAGE, before, now);
  }

  /// Absent if no block was moved, or there is no such segment.
  @Nullable Moved moved(int id) {
    Page[] all = pages;
    Page page = id / PAGE < all.length ? all[id / PAGE] : null;
    return page == null ? null : (Moved) Page.MOVED.getAcquire(page.moved, id % PAGE);
  }

  /// Number of a block among all blocks of all zones, -1 if it is nowhere, or [#IN_PAGE].
  long placeOf(int id, int block, int blocksPerZone) {
    return switch (moved(id)) {
      case null -> home(id, block, blocksPerZone);
      case StoredPage _ -> IN_PAGE;
      case LoadedPlaces loaded -> placeOf(id, block, blocksPerZone, loaded.places);
      case Places places -> placeOf(id, block, blocksPerZone, places);
    };
  }

  /// As above, for who knows where its moved blocks lie.
  long placeOf(int id, int block, int blocksPerZone, @Nullable Places places) {
    long place = places == null ? Places.HOME : places.of(block);
    return place == Places.HOME ? home(id, block, blocksPerZone) : place;
  }

  private long home(int id, int block, int blocksPerZone) {
    Page[] all = pages;
    Page page = id / PAGE < all.length ? all[id / PAGE] : null;
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
