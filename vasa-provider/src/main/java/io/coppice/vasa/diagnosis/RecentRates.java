package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// The rates within a window of time that ends now, of volumes alone and taken together.
public final class RecentRates {

  private final Recent recent;

  RecentRates(Recent recent) {
    this.recent = recent;
  }

  /// Length of the window, 0 if nothing has been sampled yet.
  public long nanos() {
    return recent.nanos();
  }

  /// The volumes that hosts read or wrote in it.
  public Set<VolumeId> volumes() {
    return Set.copyOf(recent.loads().keySet());
  }

  /// Of all volumes taken together.
  public LoadRates ofAll() {
    return of(recent.loads().keySet());
  }

  /// Of some volumes taken together, each counted once; all 0 if nobody used them.
  public LoadRates of(Collection<VolumeId> some) {
    Load sum = Load.NONE;
    for (VolumeId volume : new HashSet<>(some)) {
      sum = sum.plus(recent.loads().getOrDefault(volume, Load.NONE));
    }
    return LoadRates.of(sum, recent.nanos());
  }
}
