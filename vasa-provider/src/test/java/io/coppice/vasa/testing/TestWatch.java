package io.coppice.vasa.testing;

import io.coppice.engine.VolumeId;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.vasa.watch.VolumeWatches;
import io.coppice.vasa.watch.WatchAnswers;
import io.coppice.vasa.watch.WatchSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.util.unit.DataSize;

/// The ransomware watch, wired by hand. It sees what the engine counts, and what a test makes up.
public final class TestWatch {

  /// The settings as the product has them.
  public static final WatchSettings SETTINGS =
      new WatchSettings(
          true,
          Duration.ofSeconds(30),
          4,
          16,
          20,
          7.0,
          1.0,
          DataSize.ofKilobytes(256),
          4.0,
          50,
          Duration.ofHours(24),
          Duration.ofHours(6),
          20_000);

  /// Counts that a test makes up, by volume.
  public final Map<VolumeId, WrittenCounts> written = new HashMap<>();

  public final VolumeWatches watches;
  public final WatchAnswers answers;

  private final ControlPlane plane;

  TestWatch(ControlPlane plane) {
    this.plane = plane;
    watches =
        new VolumeWatches(
            () -> {
              Map<VolumeId, WrittenCounts> all = new HashMap<>(plane.engine.written());
              all.putAll(written);
              return all;
            },
            SETTINGS,
            plane.clock,
            plane.clock::nanos);
    answers =
        new WatchAnswers(
            watches,
            plane.protection.groups,
            plane.protection.policies,
            plane.lockLimit,
            plane.store,
            plane.jdbc,
            plane.ownWork);
  }

  /// Lets a window pass in which a volume is written over.
  ///
  /// @param bits entropy of all of it, for each byte
  /// @param blocks of 4 KiB
  public void window(VolumeId volume, double bits, long blocks) {
    WrittenCounts before = written.getOrDefault(volume, WrittenCounts.NONE);
    long samples = blocks / 16;
    written.put(
        volume,
        new WrittenCounts(
            before.written() + blocks,
            before.overwritten() + blocks,
            before.unmapped(),
            before.samples() + samples,
            before.entropy() + Math.round(bits * 1000) * samples));
    pass();
  }

  /// Lets a window pass, and answers what it shows.
  public void pass() {
    plane.clock.advance(SETTINGS.window());
    watches.look();
    answers.round();
  }

  /// Lets a volume be written over as usual until that is known, and then be encrypted until it is
  /// a suspect.
  public void encrypt(VolumeId volume) {
    for (int i = 0; i <= SETTINGS.learnWindows() + 1; i++) {
      window(volume, 4.3, 320);
    }
    for (int i = 0; i < SETTINGS.windows(); i++) {
      window(volume, 7.6, 20_000);
    }
  }
}
