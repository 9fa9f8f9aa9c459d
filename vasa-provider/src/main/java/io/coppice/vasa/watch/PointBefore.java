package io.coppice.vasa.watch;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The youngest snapshot of a volume that is older than what stands out.
///
/// @param created by the machine's clock
/// @param point recovery point that it belongs to; null for none
public record PointBefore(
    VolumeId snapshot, @Nullable String name, Instant created, @Nullable UUID point) {

  /// A text for people, such as `snapshot hourly (ID) of 2026-11-21T12:00:00Z`.
  String text() {
    String what = point == null ? "snapshot" : "recovery point";
    Object id = point == null ? snapshot : point;
    return "%s %s of %s"
        .formatted(what, name == null ? id : "%s (%s)".formatted(name, id), created);
  }
}
