package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.watch.SnapshotBefore;
import io.coppice.api.watch.WriteWatch;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.watch.PointBefore;
import io.coppice.vasa.watch.Suspicion;
import io.coppice.vasa.watch.VolumeWatches;
import io.coppice.vasa.watch.WatchAnswers;
import io.coppice.vasa.watch.WatchReading;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The ransomware watch of volumes.
@RestController
final class WatchController {

  private static final double HUNDREDTHS = 100;

  private final VirtualVolumes volumes;
  private final VolumeWatches watches;
  private final WatchAnswers answers;

  WatchController(VirtualVolumes volumes, VolumeWatches watches, WatchAnswers answers) {
    this.volumes = volumes;
    this.watches = watches;
    this.answers = answers;
  }

  /// Of any volume that is no snapshot, a vVol too.
  @GetMapping("/volumes/{id}/watch")
  @WithinContainers
  WriteWatch ofVolume(@PathVariable UUID id) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (volume.snapshot()) {
      throw RequestRejectedException.notFound("volume that is no snapshot,", id);
    }
    return watches.find(volume.id()).map(reading -> view(volume.id(), reading)).orElseGet(this::no);
  }

  private WriteWatch no() {
    String state = watches.settings().enabled() ? "unwatched" : "off";
    return new WriteWatch(state, null, null, null, 0, 0, 0, null, List.of());
  }

  private WriteWatch view(VolumeId volume, WatchReading reading) {
    Instant since = reading.since();
    return new WriteWatch(
        reading.state().name().toLowerCase(Locale.ROOT),
        since,
        rounded(reading.entropy()),
        rounded(reading.usualEntropy()),
        reading.rate(),
        reading.usualRate(),
        reading.samples(),
        since == null
            ? null
            : answers.lastBefore(volume, since).map(WatchController::view).orElse(null),
        answers.find(volume).map(Suspicion::taken).orElse(List.of()));
  }

  private static SnapshotBefore view(PointBefore before) {
    return new SnapshotBefore(
        before.snapshot().value(), before.name(), before.created(), before.point());
  }

  private static @Nullable Double rounded(@Nullable Double bits) {
    return bits == null ? null : Math.round(bits * HUNDREDTHS) / HUNDREDTHS;
  }
}
