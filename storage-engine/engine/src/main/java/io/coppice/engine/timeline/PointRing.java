package io.coppice.engine.timeline;

import java.util.Arrays;

/// A queue of [Point]s in the order of their moments: 32 bytes for each.
final class PointRing {

  private static final int FIELDS = 4;
  private static final int LEAST = 16;

  private long[] cells = new long[LEAST * FIELDS];
  private int first;
  private int size;

  int size() {
    return size;
  }

  long bytes() {
    return 8L * cells.length;
  }

  void add(Point point) {
    if (size * FIELDS == cells.length) {
      grow();
    }
    int at = cell(size++);
    cells[at] = point.moment();
    cells[at + 1] = point.age();
    cells[at + 2] = point.slot();
    cells[at + 3] = point.offset();
  }

  private void grow() {
    long[] wider = Arrays.copyOf(flat(), 2 * cells.length);
    first = 0;
    cells = wider;
  }

  /// The fields of all points, one after the other.
  long[] flat() {
    long[] all = new long[size * FIELDS];
    int capacity = cells.length / FIELDS;
    int head = Math.min(size, capacity - first);
    System.arraycopy(cells, first * FIELDS, all, 0, head * FIELDS);
    System.arraycopy(cells, 0, all, head * FIELDS, (size - head) * FIELDS);
    return all;
  }

  private int cell(int index) {
    return (first + index) % (cells.length / FIELDS) * FIELDS;
  }

  Point get(int index) {
    int at = cell(index);
    return new Point(cells[at], cells[at + 1], cells[at + 2], cells[at + 3]);
  }

  long moment(int index) {
    return cells[cell(index)];
  }

  long age(int index) {
    return cells[cell(index) + 1];
  }

  void removeFirst() {
    first = (first + 1) % (cells.length / FIELDS);
    size--;
  }

  /// The index of the first point at `moment` or later; the size if there is none.
  int from(long moment) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (moment(middle) < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
