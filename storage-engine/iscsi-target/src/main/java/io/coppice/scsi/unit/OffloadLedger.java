package io.coppice.scsi.unit;

import io.coppice.scsi.sense.SenseCode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// The ledger of what hosts let a unit do instead of moving the data themselves, by initiator,
/// since the provider started. Safe for any thread.
public final class OffloadLedger {

  /// The kinds of commands that are counted.
  public enum Kind {
    /// COMPARE AND WRITE that compared and wrote.
    ATS,
    /// COMPARE AND WRITE that found other data.
    ATS_MISCOMPARE,
    /// EXTENDED COPY, at the unit that it was sent to.
    XCOPY,
    WRITE_SAME,
    UNMAP,
    /// WRITE USING TOKEN, at the unit written to; its fall-backs and those of POPULATE TOKEN.
    TOKEN_COPY;

    /// The kind of a command, whether it is supported or not; empty if it is none of these.
    public static Optional<Kind> of(ByteBuffer cdb) {
      if (cdb.remaining() < 2) {
        return Optional.empty();
      }
      return switch (Byte.toUnsignedInt(cdb.get(cdb.position()))) {
        case 0x41, 0x93 -> Optional.of(WRITE_SAME);
        case 0x42 -> Optional.of(UNMAP);
        case 0x83 ->
            switch (cdb.get(cdb.position() + 1) & 0x1f) {
              case 0x00, 0x01 -> Optional.of(XCOPY);
              case 0x10, 0x11 -> Optional.of(TOKEN_COPY);
              default -> Optional.empty();
            };
        case 0x89 -> Optional.of(ATS);
        default -> Optional.empty();
      };
    }
  }

  /// The most senses that the fall-backs of one initiator and kind are counted by. An initiator may
  /// send what it likes, and each one costs memory.
  public static final int MOST_SENSES = 16;

  /// The counts of one kind.
  ///
  /// @param commands how many ended GOOD
  /// @param bytesSpared bytes of the medium that changed without crossing the wire: copied ones
  ///   count twice (a read and a write), those written or unmapped once, ATS 0, zeros written by
  ///   token once
  /// @param fallBacks how many ended with CHECK CONDITION, so that the host does the work in
  ///   another way; without unit attentions, which it repeats, and miscompares, which are answers
  /// @param reasons the fall-backs by what the host was told; those beyond [#MOST_SENSES] are in no
  ///   reason
  public record Entry(
      long commands, long bytesSpared, long fallBacks, Map<SenseCode, Long> reasons) {

    /// Nothing was counted.
    public static final Entry NONE = new Entry(0, 0);

    public Entry {
      reasons = Map.copyOf(reasons);
    }

    /// Without fall-backs.
    public Entry(long commands, long bytesSpared) {
      this(commands, bytesSpared, 0, Map.of());
    }

    /// The fall-backs that no reason counts.
    public long otherFallBacks() {
      return fallBacks - reasons.values().stream().mapToLong(Long::longValue).sum();
    }

    /// The sum of both.
    public Entry plus(Entry other) {
      Map<SenseCode, Long> all = new HashMap<>(reasons);
      other.reasons.forEach((sense, count) -> all.merge(sense, count, Long::sum));
      return new Entry(
          commands + other.commands,
          bytesSpared + other.bytesSpared,
          fallBacks + other.fallBacks,
          all);
    }
  }

  private final ConcurrentHashMap<String, Counts> byInitiator = new ConcurrentHashMap<>();

  /// Initiators, their kinds and counts; those that never tried to offload anything are missing.
  public Map<String, Map<Kind, Entry>> entries() {
    Map<String, Map<Kind, Entry>> all = new TreeMap<>();
    byInitiator.forEach((initiator, counts) -> all.put(initiator, counts.entries()));
    return all;
  }

  /// The counts of what one initiator offloaded.
  public Optional<Map<Kind, Entry>> of(String initiator) {
    return Optional.ofNullable(byInitiator.get(initiator)).map(Counts::entries);
  }

  /// Adds to an initiator's counts. The directory bounds how many initiators ever reach the unit.
  public void add(String initiator, Kind kind, long bytesSpared) {
    byInitiator.computeIfAbsent(initiator, _ -> new Counts()).add(kind, bytesSpared);
  }

  /// Counts a command that did not do what it was sent for.
  ///
  /// @param sense what the host was told
  public void addFallBack(String initiator, Kind kind, SenseCode sense) {
    byInitiator.computeIfAbsent(initiator, _ -> new Counts()).addFallBack(kind, sense);
  }

  private static final class Counts {
    private static final Kind[] KINDS = Kind.values();

    private final LongAdder[] commands = new LongAdder[KINDS.length];
    private final LongAdder[] bytes = new LongAdder[KINDS.length];

    /// Fall-backs are rare: kinds without any are missing.
    private final Map<Kind, FallBacks> fallBacks = new ConcurrentHashMap<>();

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

    void addFallBack(Kind kind, SenseCode sense) {
      fallBacks.computeIfAbsent(kind, _ -> new FallBacks()).add(sense);
    }

    Map<Kind, Entry> entries() {
      Map<Kind, Entry> entries = new TreeMap<>();
      for (Kind kind : KINDS) {
        long count = commands[kind.ordinal()].sum();
        FallBacks failed = fallBacks.get(kind);
        if (failed != null) {
          entries.put(kind, failed.entry(count, bytes[kind.ordinal()].sum()));
        } else if (count > 0) {
          entries.put(kind, new Entry(count, bytes[kind.ordinal()].sum()));
        }
      }
      return entries;
    }
  }

  /// Fall-backs of one kind. Guarded by its lock, so that reasons never count more than there were.
  private static final class FallBacks {
    private final Map<SenseCode, Long> reasons = new HashMap<>();
    private long all;

    synchronized void add(SenseCode sense) {
      all++;
      if (reasons.size() < MOST_SENSES || reasons.containsKey(sense)) {
        reasons.merge(sense, 1L, Long::sum);
      }
    }

    synchronized Entry entry(long commands, long bytesSpared) {
      return new Entry(commands, bytesSpared, all, reasons);
    }
  }
}
