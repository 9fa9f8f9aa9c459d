package io.coppice.scsi.unit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The traffic by initiator, over all of its sessions at both targets. Safe for any thread.
///
/// A session holds the counts of its initiator from its login on, so a command looks nothing up
/// here. When the last session of an initiator has ended, only the sums are kept, and those of the
/// initiators that left longest ago go first. The directory bounds who may log in, and an initiator
/// that never read or wrote leaves nothing.
public final class InitiatorCounts {

  private final int mostGone;
  private final Map<String, Present> present = new HashMap<>();

  /// Sums of initiators without a session, in the order in which they left.
  private final LinkedHashMap<String, Traffic> gone = new LinkedHashMap<>();

  /// An initiator with sessions. Guarded by the lock of its owner.
  private static final class Present {
    private final Traffic before;
    private final ReadsAndWrites since = new ReadsAndWrites();
    private int sessions;

    Present(Traffic before) {
      this.before = before;
    }

    Traffic traffic() {
      return before.plus(since.counts());
    }
  }

  /// @param mostGone initiators without a session whose sums are kept
  public InitiatorCounts(int mostGone) {
    this.mostGone = mostGone;
  }

  /// Begins a session, which counts in the answer until it [leaves][#leave].
  ///
  /// @param initiator lower-case iSCSI name
  public synchronized ReadsAndWrites enter(String initiator) {
    Present one = present.get(initiator);
    if (one == null) {
      Traffic before = gone.remove(initiator);
      one = new Present(before == null ? Traffic.NONE : before);
      present.put(initiator, one);
    }
    one.sessions++;
    return one.since;
  }

  /// Ends a session. No command of it may run any more.
  public synchronized void leave(String initiator) {
    Present one = present.get(initiator);
    if (one == null || --one.sessions > 0) {
      return;
    }
    present.remove(initiator);
    Traffic sum = one.traffic();
    if (!sum.equals(Traffic.NONE)) {
      gone.put(initiator, sum);
      if (gone.size() > mostGone) {
        gone.pollFirstEntry();
      }
    }
  }

  /// The traffic of initiators that have a session, and of those that had one and are remembered.
  public synchronized Map<String, Traffic> traffic() {
    Map<String, Traffic> all = new HashMap<>(gone);
    present.forEach((initiator, one) -> all.put(initiator, one.traffic()));
    return all;
  }
}
