package io.coppice.scsi.unit;

import io.coppice.scsi.unit.OffloadLedger.Entry;
import io.coppice.scsi.unit.OffloadLedger.Kind;
import java.util.EnumMap;
import java.util.Map;

/// A sum over several ledgers, by kind. Not for several threads at a time.
final class OffloadSum {

  private final Map<Kind, Entry> entries = new EnumMap<>(Kind.class);

  /// Adds what all initiators offloaded.
  void add(OffloadLedger ledger) {
    ledger.entries().values().forEach(this::add);
  }

  void add(OffloadSum other) {
    add(other.entries);
  }

  private void add(Map<Kind, Entry> more) {
    more.forEach((kind, entry) -> entries.merge(kind, entry, Entry::plus));
  }

  /// The sums; kinds that nobody tried are missing.
  Map<Kind, Entry> entries() {
    return Map.copyOf(entries);
  }
}
