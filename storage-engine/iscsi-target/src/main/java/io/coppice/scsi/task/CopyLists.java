package io.coppice.scsi.task;

import io.coppice.scsi.unit.LogicalUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The copy operations of one nexus by list identifier: those under way, and the outcomes of the
/// last ones. Identifiers are 32 bits, whichever command names them (SPC-4 §5.17.4.2). Safe for any
/// thread.
public final class CopyLists {

  /// Most operations under way, and most that are remembered with them.
  static final int MOST = 256;

  private final Map<Integer, CopyOperation> byList = new LinkedHashMap<>(); // guarded by this

  /// The answer to an operation that wants to begin.
  public enum Entry {
    ENTERED,
    /// Another operation with that identifier is under way.
    DUPLICATE,
    /// Too many operations are under way.
    FULL
  }

  /// Enters an operation. It forgets the outcome of an earlier one with its identifier and, if
  /// there are too many, the oldest of all.
  public synchronized Entry enter(int listId, CopyOperation operation) {
    CopyOperation before = byList.get(listId);
    if (before != null && !before.isEnded()) {
      return Entry.DUPLICATE;
    }
    byList.remove(listId);
    if (byList.size() >= MOST && !forgetOldest()) {
      return Entry.FULL;
    }
    byList.put(listId, operation);
    return Entry.ENTERED;
  }

  private boolean forgetOldest() {
    Iterator<CopyOperation> all = byList.values().iterator();
    while (all.hasNext()) {
      if (all.next().isEnded()) {
        all.remove();
        return true;
      }
    }
    return false;
  }

  public synchronized @Nullable CopyOperation find(int listId) {
    return byList.get(listId);
  }

  /// Forgets an outcome after it was told.
  public synchronized void forget(int listId, CopyOperation operation) {
    byList.remove(listId, operation);
  }

  /// Forgets all outcomes of a unit.
  public synchronized void forgetAt(LogicalUnit unit) {
    byList.values().removeIf(operation -> operation.unit() == unit && operation.isEnded());
  }
}
