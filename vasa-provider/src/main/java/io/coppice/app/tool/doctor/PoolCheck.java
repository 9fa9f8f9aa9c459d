package io.coppice.app.tool.doctor;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.pool.PoolLock;
import io.coppice.engine.check.PoolHead;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// The check of the pool: it exists, has superblocks, and only the provider locks it.
final class PoolCheck implements Check {

  @Override
  public void look(DoctorSubject site, Report report) {
    Path first = site.poolFile();
    Optional<Path> second = site.secondPoolFile();
    Path file = Files.exists(first) ? first : second.orElse(first);
    if (!Files.exists(file)) {
      missing(site, report);
      return;
    }
    try {
      PoolHead head = PoolHead.read(file);
      boolean twice = second.isEmpty() || (file.equals(first) && isOtherHalf(second.get(), head));
      if (head.damaged() > 0) {
        report.warn(
            "pool",
            "pool %s, but %d of its superblocks do not read: \"./coppice check\" reports more",
            head.pool(),
            head.damaged());
      } else if (head.alone() || !twice) {
        report.warn(
            "pool",
            "pool %s is kept once only: one of its two copies is missing, has failed or is being"
                + " filled",
            head.pool());
      } else {
        report.ok("pool", "pool %s of %d MiB", head.pool(), head.sizeInBytes() >> 20);
      }
    } catch (NotCheckable | DeviceException e) {
      report.fail(
          "pool",
          Cause.POOL,
          "The pool in %s cannot be used: %s"
              .formatted(site.poolDirectory(), Report.ended(String.valueOf(e.getMessage()))),
          "stop the provider, bring the file back, and prove it with \"./coppice check\".");
    }
    cache(site, file, report);
    second.filter(other -> !other.equals(file)).ifPresent(other -> cache(site, other, report));
    lock(site, report);
  }

  /// Checks the page cache: through it the next start may take a failed write for stable.
  private static void cache(DoctorSubject site, Path file, Report report) {
    try {
      if (!Files.exists(file) || FileBlockDevice.bypassesCache(file)) {
        return;
      }
    } catch (DeviceException e) {
      return; // reported as a pool that cannot be used
    }
    if (site.settings().pool().bufferedIo()) {
      report.warn(
          "pool-io",
          "%s is used through the page cache (coppice.pool.buffered-io): what a failed write left"
              + " there may be taken for stable after a restart; use a file system with direct I/O",
          file);
    } else {
      report.fail(
          "pool-io",
          Cause.POOL,
          "The file system of %s does not let it be read and written past the page cache."
              .formatted(file),
          "move the pool to a file system with direct I/O (ext4, xfs), or set"
              + " coppice.pool.buffered-io=true for a pool that may be lost.");
    }
  }

  /// Whether a file is the second copy of a pool, and does not say that it went on alone.
  private static boolean isOtherHalf(Path file, PoolHead other) {
    try {
      PoolHead head = PoolHead.read(file);
      return head.pool().equals(other.pool()) && !head.alone();
    } catch (NotCheckable | DeviceException e) {
      return false;
    }
  }

  private static void missing(DoctorSubject site, Report report) {
    if (!Files.exists(site.home()) || !DatabaseAccess.exists(site.home())) {
      report.skip("pool", "there is none yet; the first start makes it");
      return;
    }
    report.fail(
        "pool",
        Cause.POOL,
        "There is no pool in %s, but there is a database that belongs to one."
            .formatted(site.poolDirectory()),
        "mount or name its folder (coppice.pool.directory) before a start makes a new, empty one.");
  }

  private static void lock(DoctorSubject site, Report report) {
    PoolLock lock = site.lock();
    if (!lock.held()) {
      report.ok("lock", "nobody has the pool open");
      return;
    }
    String who =
        lock.pid().isPresent()
            ? Listeners.describe(lock.pid().getAsLong())
            : "a process that cannot be seen from here";
    if (site.running()) {
      report.ok("lock", "%s has the pool open", who);
      return;
    }
    Set<Integer> ports =
        lock.pid().isPresent() ? site.listeners().of(lock.pid().getAsLong()) : Set.of();
    report.fail(
        "lock",
        Cause.POOL_LOCKED,
        "The pool is locked by %s, which listens at none of the ports of these settings%s."
            .formatted(who, ports.isEmpty() ? "" : " but at " + ports),
        "end that process; if it is the provider, give doctor the settings that it was started"
            + " with, or wait until it has started.");
  }
}
