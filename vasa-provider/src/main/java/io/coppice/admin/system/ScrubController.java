package io.coppice.admin.system;

import io.coppice.engine.ScrubFinding;
import io.coppice.engine.ScrubStatus;
import io.coppice.vasa.pool.Scrubbing;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The search for damage in the pool. Needs no database.
@RestController
final class ScrubController {

  private static final int MOST_FINDINGS = 1000;

  private final Scrubbing scrubbing;

  ScrubController(Scrubbing scrubbing) {
    this.scrubbing = scrubbing;
  }

  /// @param percentDone of the pass under way, 0 to 100; 100 if none is
  /// @param bytesVerified by the last pass so far
  /// @param badBlocks blocks of 4 KiB that are damaged now, however many volumes see them
  /// @param findings all damage that is known now, at most 1000 entries
  record ScrubState(
      boolean running,
      boolean paused,
      @Nullable Instant lastStarted,
      @Nullable Instant lastEnded,
      int percentDone,
      long bytesVerified,
      long badBlocks,
      List<Finding> findings) {}

  /// @param volume the volume or snapshot that sees the damaged block; null for the pool's own
  ///   structures
  /// @param lba first of its 8 logical blocks of 512 bytes; null without a volume
  /// @param replaced whether the pool no longer needs the structure
  record Finding(
      @Nullable UUID volume,
      @Nullable Long lba,
      boolean replaced,
      String sentence,
      Instant found) {}

  @GetMapping("/scrub")
  ScrubState scrub() {
    ScrubStatus status = scrubbing.status();
    return new ScrubState(
        status.running(),
        status.paused(),
        status.lastStarted(),
        status.lastEnded(),
        status.percentDone(),
        status.bytesVerified(),
        status.badBlocks(),
        status.findings().stream().limit(MOST_FINDINGS).map(ScrubController::finding).toList());
  }

  private static Finding finding(ScrubFinding finding) {
    return switch (finding) {
      case ScrubFinding.BadBlock bad ->
          new Finding(bad.volume().value(), bad.lba(), false, bad.sentence(), bad.found());
      case ScrubFinding.MendedBlock mended ->
          new Finding(
              mended.volume().value(), mended.lba(), true, mended.sentence(), mended.found());
      case ScrubFinding.BadMetadata bad ->
          new Finding(null, null, bad.replaced(), bad.sentence(), bad.found());
    };
  }

  /// Begins a pass now, or hurries the one under way.
  @PostMapping("/scrub/start")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ScrubState start() {
    scrubbing.start();
    return scrub();
  }

  /// Stops reading until it is resumed or started.
  @PostMapping("/scrub/pause")
  ScrubState pause() {
    scrubbing.pause();
    return scrub();
  }

  @PostMapping("/scrub/resume")
  ScrubState resume() {
    scrubbing.resume();
    return scrub();
  }
}
