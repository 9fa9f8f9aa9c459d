package io.coppice.engine.mirror;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.superblock.PoolDevices;
import io.coppice.engine.superblock.Superblocks;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The devices of an open pool: whether there are two, and the state of each. Safe for any thread.
public final class Devices {

  private final @Nullable Mirror mirror;
  private final Superblocks superblocks;
  private final @Nullable Resilver resilver;

  private Devices(@Nullable Mirror mirror, Superblocks superblocks, @Nullable Resilver resilver) {
    this.mirror = mirror;
    this.superblocks = superblocks;
    this.resilver = resilver;
  }

  /// Brings a device that does not hold everything up to date.
  ///
  /// @param whenFilled run when it holds everything
  public static Devices start(
      PoolDevices found, Superblocks superblocks, ZoneResilver.Parts parts, Runnable whenFilled) {
    if (!(found.device() instanceof Mirror mirror)) {
      return new Devices(null, superblocks, null);
    }
    PoolDevices.Behind behind = found.behind();
    if (behind == null) {
      return new Devices(mirror, superblocks, null);
    }
    Resilver resilver = new Resilver(mirror, superblocks, parts, behind, whenFilled);
    resilver.start();
    return new Devices(mirror, superblocks, resilver);
  }

  /// Absent for a pool on one device.
  public Optional<MirrorStatus> status() {
    Mirror both = mirror;
    if (both == null) {
      return Optional.empty();
    }
    MirrorStatus.State first = state(both, 0);
    MirrorStatus.State second = state(both, 1);
    Resilver filling = resilver;
    int percent =
        filling != null && (both.isFilling(0) || both.isFilling(1)) ? filling.percent() : 100;
    return Optional.of(new MirrorStatus(first, second, percent, sentence(first, second)));
  }

  /// A filled device holds everything for readers before the superblocks say so. Until they do,
  /// stably, the pool stops if the other one fails: so it does not count yet.
  private MirrorStatus.State state(Mirror mirror, int member) {
    boolean filling = mirror.isFilling(member); // first: it may hold everything a moment later
    boolean counts = superblocks.current().mirror().isWhole(member);
    for (BlockDevice.Copy copy : mirror.copies()) {
      if (copy.number() == member) {
        return counts
            ? MirrorStatus.State.WHOLE
            : resilver == null ? MirrorStatus.State.ABSENT : MirrorStatus.State.FILLING;
      }
    }
    return filling ? MirrorStatus.State.FILLING : MirrorStatus.State.ABSENT;
  }

  private String sentence(MirrorStatus.State first, MirrorStatus.State second) {
    for (int member = 0; member < 2; member++) {
      MirrorStatus.State state = member == 0 ? first : second;
      String name = PoolDevices.name(member);
      if (state == MirrorStatus.State.FILLING) {
        return "The %s device of the pool is being filled from the %s one."
            .formatted(name, PoolDevices.name(1 - member));
      }
      if (state == MirrorStatus.State.ABSENT) {
        return "The %s device of the pool is missing or has failed: the %s one alone holds everything since generation %d."
            .formatted(name, PoolDevices.name(1 - member), superblocks.current().mirror().behind());
      }
    }
    return resilver == null ? "" : resilver.leftUnreadable();
  }

  public void stop() {
    if (resilver != null) {
      resilver.stop();
    }
  }
}
