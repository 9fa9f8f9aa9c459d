package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.FreedSet;
import io.coppice.api.volume.ReclaimPlan;
import io.coppice.engine.VolumeId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The space that deletions would give back. Nothing is deleted here.
@RestController
final class SpaceController {

  /// Most ids in one question: a line of a request has its limits.
  private static final int MOST_IDS = 100;

  private static final Pattern ID =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final FreedViews views;

  SpaceController(FreedViews views) {
    this.views = views;
  }

  /// What the deletion of a set of volumes and snapshots would give back.
  ///
  /// @param ids of volumes, vVols and snapshots, with commas
  /// @param snapshots whether the snapshots of the volumes go, too
  @GetMapping("/space/freed")
  @WithinContainers
  FreedSet freed(
      @RequestParam String ids, @RequestParam(defaultValue = "false") boolean snapshots) {
    return views.ofSet(parsed(ids), snapshots);
  }

  private static Set<VolumeId> parsed(String ids) {
    String[] given = ids.split(",", -1);
    if (given.length > MOST_IDS) {
      throw RequestRejectedException.field(
          "ids", "expected at most %d ids, got %d".formatted(MOST_IDS, given.length));
    }
    Set<VolumeId> parsed = new LinkedHashSet<>();
    for (String id : given) {
      if (!ID.matcher(id).matches()) {
        throw RequestRejectedException.field(
            "ids", "expected ids with commas, got '%s'".formatted(id));
      }
      parsed.add(new VolumeId(UUID.fromString(id)));
    }
    return parsed;
  }

  /// What would have to be deleted to get back so many bytes, the oldest first.
  ///
  /// @param volumes whether plain volumes may go, too
  @GetMapping("/space/reclaimable")
  @WithinContainers
  ReclaimPlan reclaimable(
      @RequestParam long bytes, @RequestParam(defaultValue = "false") boolean volumes) {
    if (bytes < 1) {
      throw RequestRejectedException.field(
          "bytes", "expected at least 1 byte, got %d".formatted(bytes));
    }
    return views.oldestFor(bytes, volumes);
  }
}
