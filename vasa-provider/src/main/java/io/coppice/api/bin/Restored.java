package io.coppice.api.bin;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot that was restored, or a volume that was set back to a safety copy.
///
/// @param kind `volume`, `vvol`, `snapshot` or `safety-copy`
/// @param lun number of the export that it has again; null if it was deleted without one
/// @param exportRefused why the export that it was deleted with is not there again; null if it is,
///   or there was none
public record Restored(
    UUID id,
    @Nullable String name,
    String kind,
    UUID container,
    @Nullable Integer lun,
    @Nullable String exportRefused) {}
