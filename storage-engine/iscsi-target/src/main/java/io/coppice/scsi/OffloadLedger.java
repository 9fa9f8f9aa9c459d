package io.coppice.scsi;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// What hosts let a unit do instead of moving the data themselves, by initiator; since the provider
/// started. Only commands that ended GOOD count. Safe for any thread.
public final class OffloadLedger {

  /// What is counted.
  public enum Kind {
    /// COMPARE AND WRITE that compared and wrote.
    ATS,
    /// COMPARE AND WRITE that found other data.
    ATS_MISCOMPARE,
    /// EXTENDED COPY, at the unit that it was sent to.
    XCOPY,
    WRITE_SAME,
    UNMAP
  }

  /// Counts of one kind.
  ///
  /// @param commands how many
  /// @param bytesSpared bytes of the medium that changed without crossing the wire: twice those
  ///   copied (a read and a write), those written or unmapped, 0 for ATS
  public record Entry(long commands, long bytesSpared) {}

  private final ConcurrentHashMap<String, Counts> byInitiator = new ConcurrentHashMap<>();

  /// Initiators, their kinds and counts; those that never offloaded anything are missing.
  public Map<String, Map<Kind, Entry>> entries() {
    Map<String, Map<Kind, Entry>> all = new TreeMap<>();
    byInitiator.forEach((initiator, counts) -> all.put(initiator, counts.entries()));
    return all;
  }

  /// What one initiator offloaded.
  public Optional<Map<Kind, Entry>> of(String initiator) {
    return Optional.ofNullable(byInitiator.get(initiator)).map(Counts::entries);
  }

  /// As many initiators as ever reached the unit: the directory bounds them.
  void add(String initiator, Kind kind, long bytesSpared) {
    byInitiator.computeIfAbsent(initiator, _ -> new Counts()).add(kind, bytesSpared);
  }

  private static final class Counts {
    private static final Kind[] KINDS = Kind.values();

    private final LongAdder[] commands = new LongAdder[KINDS.length];
    private final LongAdder[] bytes = new LongAdder[KINDS.length];

    Counts() {
      for (Kind kind : KINDS) {
        commands[kind.ordinal()] = new LongAdder();
        bytes[kind.ordinal()] = new LongAdder();
      }
    }

    void add(Kind kind, long spared) {
      commands[kind.ordinal()].increment();
      bytes[kind.ordinal()].add(spared);
    }

    Map<Kind, Entry> entries() {
      Map<Kind, Entry> entries = new TreeMap<>();
      for (Kind kind : KINDS) {
        long count = commands[kind.ordinal()].sum();
        if (count > 0) {
          entries.put(kind, new Entry(count, bytes[kind.ordinal()].sum()));
        }
      }
      return entries;
    }
  }
}
