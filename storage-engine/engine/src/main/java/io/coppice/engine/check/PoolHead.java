package io.coppice.engine.check;

import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/// The content of a pool's superblocks, read while another process may have the pool open.
///
/// @param pool its stable name
/// @param created when it was formatted
/// @param sizeInBytes of the pool
/// @param damaged superblocks of both rings that should be there and cannot be read
/// @param alone whether it is kept on two devices, and this one alone holds everything
public record PoolHead(UUID pool, Instant created, long sizeInBytes, long damaged, boolean alone) {

  /// Reads the superblocks and nothing else; takes no lock and writes nothing.
  ///
  /// @param file the pool's file
  /// @throws NotCheckable if it is no pool, or one that this code must not read
  /// @throws DeviceException if it cannot be read
  public static PoolHead read(Path file) {
    try (ReadOnlyFile device = ReadOnlyFile.openInUse(file)) {
      Findings findings = new Findings();
      Superblock newest = new SuperblockCheck(device, findings).run();
      if (newest == null) {
        throw new NotCheckable(
            findings.kept().isEmpty()
                ? "Expected an intact superblock, found none."
                : findings.kept().getLast().sentence());
      }
      Superblock.Geometry geometry = newest.geometry();
      return new PoolHead(
          newest.pool(),
          Instant.ofEpochMilli(newest.createdMillis()),
          PoolLayout.zoneOffset(geometry.zones(), geometry.zoneSize()),
          findings.of(Severity.WARNING),
          newest.features().hasMirror() && newest.mirror().whole() != Superblock.Mirror.BOTH);
    }
  }
}
