package io.coppice.engine.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What readers need to find a block: the zone of its segment, and where it was moved. Changed by
/// the committer, zones also by the thread that writes a checkpoint; read by anyone.
final class Whereabouts {

  private static final int PAGE = 1024;

  // By segment id; pages only ever appear.
  private volatile Page[] pages = new Page[0];

  private static final class Page {
    private static final VarHandle ZONE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle MOVED = MethodHandles.arrayElementVarHandle(Places[].class);

    private final int[] zones = new int[PAGE]; // zone + 1, 0 = none
    private final @Nullable Places[] moved = new Places[PAGE];
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
  void setPlaces(int id, @Nullable Places places) {
    Page page = pages[id / PAGE];
    if (page.moved[id % PAGE] != places) {
      Page.MOVED.setRelease(page.moved, id % PAGE, places);
    }
  }

  /// Number of a block among all blocks of all zones, or -1 if it is nowhere.
  long placeOf(int id, int block, int blocksPerZone) {
    Page[] all = pages;
    Page page = id / PAGE < all.length ? all[id / PAGE] : null;
    if (page == null) {
      return -1;
    }
    Places moved = (Places) Page.MOVED.getAcquire(page.moved, id % PAGE);
    long place = moved == null ? Places.HOME : moved.of(block);
    if (place != Places.HOME) {
      return place;
    }
    int zone = (int) Page.ZONE.getAcquire(page.zones, id % PAGE) - 1;
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
