package io.coppice.admin.system;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.scrub.DamageFinding;
import io.coppice.api.scrub.ScrubMapCell;
import io.coppice.api.scrub.ScrubMapView;
import io.coppice.api.scrub.ScrubState;
import io.coppice.engine.ScrubFinding;
import io.coppice.engine.ScrubMap;
import io.coppice.engine.ScrubStatus;
import io.coppice.vasa.pool.Scrubbing;
import java.util.Locale;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The search for damage in the pool. Needs no database.
@RestController
final class ScrubController {

  private static final int MOST_FINDINGS = 1000;
  private static final int DEFAULT_CELLS = 256;

  private final Scrubbing scrubbing;

  ScrubController(Scrubbing scrubbing) {
    this.scrubbing = scrubbing;
  }

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

  private static DamageFinding finding(ScrubFinding finding) {
    return switch (finding) {
      case ScrubFinding.BadBlock bad ->
          new DamageFinding(bad.volume().value(), bad.lba(), false, bad.sentence(), bad.found());
      case ScrubFinding.MendedBlock mended ->
          new DamageFinding(
              mended.volume().value(), mended.lba(), true, mended.sentence(), mended.found());
      case ScrubFinding.BadMetadata bad ->
          new DamageFinding(null, null, bad.replaced(), bad.sentence(), bad.found());
    };
  }

  /// The pool in so many cells.
  @GetMapping("/scrub/map")
  ScrubMapView map(@RequestParam(defaultValue = "" + DEFAULT_CELLS) int cells) {
    if (cells < 1 || cells > ScrubMap.MAX_CELLS) {
      throw RequestRejectedException.field(
          "cells", "expected 1 to %d, got %d".formatted(ScrubMap.MAX_CELLS, cells));
    }
    ScrubMap map = scrubbing.map(cells);
    return new ScrubMapView(
        map.zones(),
        map.zoneBytes(),
        map.unplaced(),
        map.cells().stream().map(ScrubController::cell).toList());
  }

  private static ScrubMapCell cell(ScrubMap.Cell cell) {
    return new ScrubMapCell(cell.state().name().toLowerCase(Locale.ROOT), cell.findings());
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
