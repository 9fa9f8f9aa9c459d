package io.coppice.engine.mirror;

import io.coppice.engine.VolumeId;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.io.BlockCheck;
import io.coppice.engine.scrub.ReverseLookup;
import io.coppice.engine.scrub.ScrubFindings;
import io.coppice.engine.state.PoolState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The blocks that a fill found on neither device, as volumes see them. Safe for any thread after
/// the look.
final class UnreadableBlocks {

  /// Most places that a sentence names.
  private static final int MOST_NAMED = 3;

  private final PoolState state;
  private final ScrubFindings findings;
  private final BlockCheck check;
  private final List<BlockCheck.Bad> blocks = new ArrayList<>();
  private final List<String> damages = new ArrayList<>();

  UnreadableBlocks(BlockDevice device, PoolState state, ScrubFindings findings) {
    this.state = state;
    this.findings = findings;
    check = new BlockCheck(device, state, (_, _) -> {});
  }

  /// Looks for the volumes that see one of these blocks, reads it as they do, and reports the
  /// findings.
  ///
  /// @param addresses of blocks that may be lost
  /// @param structures descriptions of other losses
  /// @param between called between two steps; may throw
  void look(Set<Long> addresses, Set<String> structures, Runnable between) {
    if (!addresses.isEmpty()) {
      for (ReverseLookup.Reference at : new ReverseLookup(state, between).of(addresses::contains)) {
        BlockCheck.Bad bad = check.check(at.volume(), at.block());
        if (bad != null) {
          blocks.add(bad);
          findings.bad(bad);
        }
        between.run();
      }
    }
    for (String structure : structures) {
      damages.add(structure);
      findings.bad(structure, false);
    }
  }

  /// A sentence for people; empty if nothing is left of it.
  String sentence() {
    List<BlockCheck.Bad> left =
        blocks.stream()
            .filter(bad -> BlockCheck.maps(state, bad.volume(), bad.block(), bad.address()))
            .toList();
    if (left.isEmpty() && damages.isEmpty()) {
      return "";
    }
    List<String> named = new ArrayList<>();
    left.stream().limit(MOST_NAMED).map(UnreadableBlocks::name).forEach(named::add);
    damages.stream().limit(MOST_NAMED).forEach(named::add);
    return "Neither device has %d blocks of volumes and %d structures as they were stored: %s%s."
        .formatted(
            left.size(),
            damages.size(),
            String.join("; ", named),
            named.size() < left.size() + damages.size() ? "; and more" : "");
  }

  private static String name(BlockCheck.Bad bad) {
    VolumeId volume = bad.volume().info().id();
    long lba = bad.block() * (PoolLayout.BLOCK / 512);
    return "LBA %d to %d of volume %s".formatted(lba, lba + 7, volume);
  }
}
