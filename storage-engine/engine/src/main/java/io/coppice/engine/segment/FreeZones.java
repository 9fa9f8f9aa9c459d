package io.coppice.engine.segment;

import java.util.BitSet;

/// Which zones nothing lies in. Safe for any thread.
final class FreeZones {

  private final BitSet zones = new BitSet(); // guarded by this
  private int next; // guarded by this
  private volatile int count;

  /// All of `size` zones are free.
  FreeZones(int size) {
    zones.set(0, size);
    count = size;
  }

  int count() {
    return count;
  }

  synchronized boolean has(int zone) {
    return zones.get(zone);
  }

  /// Takes one, going round the device.
  ///
  /// @return its number, or -1 if there is none
  synchronized int take() {
    int zone = zones.nextSetBit(next);
    if (zone < 0) {
      zone = zones.nextSetBit(0);
    }
    if (zone >= 0) {
      next = zone + 1;
      claim(zone);
    }
    return zone;
  }

  /// Marks a zone as taken.
  synchronized void claim(int zone) {
    if (zones.get(zone)) {
      zones.clear(zone);
      count--;
    }
  }

  synchronized void giveBack(int zone) {
    if (!zones.get(zone)) {
      zones.set(zone);
      count++;
    }
  }
}
