package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.watch.Suspicion;
import io.coppice.vasa.watch.WatchText;
import java.util.List;
import java.util.function.Supplier;

/// Volumes whose writes look like encryption.
public final class SuspectSource implements AlertSource {

  private final Supplier<List<Suspicion>> open;

  /// @param open the suspicions that are open
  public SuspectSource(Supplier<List<Suspicion>> open) {
    this.open = open;
  }

  @Override
  public String name() {
    return "watch";
  }

  @Override
  public boolean needsDatabase() {
    return true;
  }

  @Override
  public List<AlertFinding> look() {
    return open.get().stream().filter(Suspicion::alert).map(SuspectSource::finding).toList();
  }

  private static AlertFinding finding(Suspicion suspicion) {
    VirtualVolume volume = suspicion.volume();
    return new AlertFinding(
        "suspect:" + volume.id(),
        AlertSeverity.WARNING,
        new AlertSubject(
            "volume",
            volume.id().toString(),
            volume.metadata().get(VolumeChoice.NAME_KEY),
            volume.container()),
        "WritesSuspected",
        WatchText.parameters(suspicion));
  }
}
