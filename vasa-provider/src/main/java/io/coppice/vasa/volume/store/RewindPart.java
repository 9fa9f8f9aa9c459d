package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import java.time.Instant;

/// One volume of a revert to a moment.
///
/// @param point of its journal that it is brought back to
public record RewindPart(VolumeId volume, Instant point) {}
