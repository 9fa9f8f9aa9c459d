package io.coppice.vasa.statistics;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.Offloads;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;

/// Counters of the commands by which hosts let the array move data instead of moving it themselves.
@Service
public final class OffloadStatistics {

  private final Offloads offloads;

  public OffloadStatistics(Offloads offloads) {
    this.offloads = offloads;
  }

  /// The offloads of one initiator at one volume. At least one command was counted.
  public record Counted(
      VolumeId volume, String initiator, Map<OffloadLedger.Kind, OffloadLedger.Entry> kinds) {
    public Counted {
      kinds = Map.copyOf(kinds);
    }
  }

  /// The moment from which on [#inAll] counts: the start of this process.
  public Instant since() {
    return Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
  }

  /// The sums over all volumes since the start, also those that nobody reaches any more. Kinds that
  /// nobody tried are missing.
  public Map<OffloadLedger.Kind, OffloadLedger.Entry> inAll() {
    return offloads.inAll();
  }

  /// All that was counted, in no order. A volume that nothing was counted for is left out.
  public List<Counted> list() {
    List<Counted> all = new ArrayList<>();
    offloads
        .byVolume()
        .forEach(
            (volume, ledger) ->
                ledger.entries().forEach((who, kinds) -> all.add(new Counted(volume, who, kinds))));
    return all;
  }
}
