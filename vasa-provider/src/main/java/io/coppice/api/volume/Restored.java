package io.coppice.api.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot that was restored, or a volume that was set back to a safety copy.
///
/// @param kind `volume`, `vvol`, `snapshot` or `safety-copy`
public record Restored(UUID id, @Nullable String name, String kind, UUID container) {}
