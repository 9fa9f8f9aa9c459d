package io.coppice.vasa.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Journals of volumes, given to them past all services.
public final class TestJournals {

  /// Time between the finest points.
  public static final Duration EVERY = Duration.ofSeconds(5);

  private static final List<JournalTier> TIERS =
      List.of(
          new JournalTier(EVERY, Duration.ofHours(1)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofDays(1)));

  private TestJournals() {}

  /// Gives a journal to each volume.
  public static void keep(ControlPlane plane, VolumeId... volumes) {
    for (VolumeId volume : volumes) {
      plane.engine.journals().keep(OperationId.random(), volume, TIERS);
    }
  }

  /// Gives a journal to a volume that REST made.
  public static void keep(ControlPlane plane, String volume) {
    keep(plane, new VolumeId(UUID.fromString(volume)));
  }

  /// Lets time pass, and makes points of volumes at one position.
  ///
  /// @return their moment
  public static Instant cut(ControlPlane plane, VolumeId... volumes) {
    plane.clock.advance(EVERY);
    return plane.engine.journals().cut(List.of(volumes));
  }
}
