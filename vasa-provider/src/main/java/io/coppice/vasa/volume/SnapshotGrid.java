package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/// The times at which the scheduled snapshots of a virtual machine are due.
///
/// They follow from the machine's id and the interval alone: the moments of which the seconds since
/// 1970 leave the same rest, the *phase*, when divided by the interval. So the disks of a machine
/// that have one interval are due together whenever they were made, one that joins is from its next
/// turn on, machines are spread over the interval, and nothing needs to be remembered. A grid of a
/// longer interval lies on that of a shorter one which divides it.
public final class SnapshotGrid {

  /// Metadata of a disk: the machine that it belongs to.
  public static final String MACHINE_KEY = "VMW_VmID";

  private SnapshotGrid() {}

  /// Whose grid a volume is on: its machine's, or, without one, its own.
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
