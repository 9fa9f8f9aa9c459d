package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/// The times at which the scheduled snapshots of a virtual machine are due.
///
/// They follow from the machine's id and the interval alone. A moment is due if its seconds since
/// 1970, divided by the interval, leave a fixed rest, the *phase*. So disks of a machine with one
/// interval are due together whenever they were made, and a disk that joins is due from its next
/// turn on. Machines are spread over the interval, and nothing needs to be remembered. A grid of a
/// longer interval lies on that of a shorter one which divides it.
public final class SnapshotGrid {

  /// The metadata key of a disk that names its machine.
  public static final String MACHINE_KEY = "VMW_VmID";

  private SnapshotGrid() {}

  /// The owner of a volume's grid: its machine or, without one, the volume itself.
  public static String owner(VolumeId volume, Map<String, String> metadata) {
    return metadata.getOrDefault(MACHINE_KEY, volume.toString());
  }

  /// The first moment of a grid that is after `now`.
  ///
  /// @param owner from [#owner]
  /// @param interval whole seconds, at least one
  public static Instant next(String owner, Duration interval, Instant now) {
    long seconds = interval.toSeconds();
    long hash =
        UUID.nameUUIDFromBytes(owner.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
    long phase = Math.floorMod(hash, seconds);
    long since = Math.floorMod(now.getEpochSecond() - phase, seconds);
    return Instant.ofEpochSecond(now.getEpochSecond() - since + seconds);
  }
}
