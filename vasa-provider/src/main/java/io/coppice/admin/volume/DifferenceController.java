package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.DifferenceList;
import io.coppice.api.volume.DifferenceMap;
import io.coppice.api.volume.DifferenceRange;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.DifferencePart;
import io.coppice.vasa.volume.copy.Comparisons;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The differences between two snapshots, or between a snapshot and a volume as it is now.
@RestController
final class DifferenceController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;
  private static final int DEFAULT_CELLS = 256;

  private final VirtualVolumes volumes;
  private final Comparisons comparisons;

  DifferenceController(VirtualVolumes volumes, Comparisons comparisons) {
    this.volumes = volumes;
    this.comparisons = comparisons;
  }

  /// One part of the ranges that differ.
  ///
  /// @param of a volume or snapshot
  /// @param since another one of its family; null for nothing: all ranges that have data
  @GetMapping("/differences")
  @WithinContainers
  DifferenceList ranges(
      @RequestParam UUID of,
      @RequestParam(required = false) @Nullable UUID since,
      @RequestParam(defaultValue = "" + DEFAULT_LIMIT) int limit,
      @RequestParam(required = false) @Nullable String cursor) {
    requireWithin("limit", limit, MAX_LIMIT);
    Comparisons.Pair pair = known(of, since);
    DifferencePart.Place from =
        cursor == null
            ? DifferencePart.Place.START
            : DifferenceCursor.parse(cursor, pair, 0).place();
    DifferencePart part = comparisons.part(pair, from, limit).orElseThrow(() -> reverted(pair));
    DifferencePart.Place next = part.next();
    return new DifferenceList(
        part.ranges().stream()
            .map(range -> new DifferenceRange(range.offset(), range.length()))
            .toList(),
        next == null ? null : new DifferenceCursor(pair, 0, next, 0).text(),
        comparisons.sizeOf(pair.of()),
        sizeOf(pair.since()));
  }

  /// A map of so many cells, or the part of it that is looked at in one call.
  @GetMapping("/differences/map")
  @WithinContainers
  DifferenceMap map(
      @RequestParam UUID of,
      @RequestParam(required = false) @Nullable UUID since,
      @RequestParam(defaultValue = "" + DEFAULT_CELLS) int cells,
      @RequestParam(required = false) @Nullable String cursor) {
    requireWithin("cells", cells, Comparisons.MAX_CELLS);
    Comparisons.Pair pair = known(of, since);
    DifferenceCursor from =
        cursor == null
            ? new DifferenceCursor(
                pair, cells, DifferencePart.Place.START, comparisons.sizeOf(pair.of()))
            : DifferenceCursor.parse(cursor, pair, cells);
    Comparisons.CellMap map =
        comparisons.map(pair, from.place(), from.size(), cells).orElseThrow(() -> reverted(pair));
    DifferencePart.Place next = map.next();
    List<Long> counted = Arrays.stream(map.cells()).boxed().toList();
    return new DifferenceMap(
        counted,
        Arrays.stream(map.cells()).sum(),
        next == null ? null : new DifferenceCursor(pair, cells, next, from.size()).text(),
        from.size(),
        sizeOf(pair.since()));
  }

  private static void requireWithin(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw RequestRejectedException.field(name, "expected 1 to %d, got %d".formatted(most, value));
    }
  }

  private Comparisons.Pair known(UUID of, @Nullable UUID since) {
    requireKnown(of);
    if (since != null) {
      requireKnown(since);
    }
    return new Comparisons.Pair(new VolumeId(of), since == null ? null : new VolumeId(since));
  }

  private void requireKnown(UUID id) {
    if (volumes.find(new VolumeId(id)).isEmpty()) {
      throw RequestRejectedException.notFound("volume or snapshot", id);
    }
  }

  private @Nullable Long sizeOf(@Nullable VolumeId id) {
    return id == null ? null : comparisons.sizeOf(id);
  }

  private static RequestRejectedException reverted(Comparisons.Pair pair) {
    return RequestRejectedException.conflict(
        "reverted",
        pair.of().toString(),
        "expected volumes that were not reverted since the part before, but %s or %s was: begin"
                .formatted(pair.of(), pair.since())
            + " again without a cursor");
  }
}
