package io.coppice.api.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot of a set that might be deleted. Space is in bytes.
///
/// @param kind `volume`, `vvol` or `snapshot`
/// @param alone what its deletion gives back if the others stay
/// @param shared what it holds that others hold, too, and that stays for them
/// @param stays why its deletion would be refused now, in one sentence; null if it would not
/// @param total what its deletion and those of the members before it give back together
public record FreedMember(
    UUID id,
    String kind,
    @Nullable String name,
    UUID container,
    long alone,
    long total,
    long shared,
    @Nullable String stays) {}
