package io.coppice.api.volume;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A vVol or plain volume.
///
/// Sizes in bytes; `mapped`, `unique` and `reserved` as in the engine's `VolumeSpace`.
///
/// @param plain whether an administrator made it, who alone may change and delete it
/// @param basedOn the snapshot or volume that it goes on from; null if there is none any more
/// @param naa as its logical unit names itself to initiators (VPD page 83h)
public record Vvol(
    UUID id,
    String naa,
    @Nullable String name,
    String type,
    boolean plain,
    @Nullable String vm,
    UUID container,
    @Nullable UUID basedOn,
    long size,
    long mapped,
    long unique,
    long reserved,
    @Nullable PolicyEdition policy,
    @Nullable ComplianceState compliance,
    boolean bound,
    boolean exported,
    Instant created,
    Map<String, String> labels,
    Map<String, String> metadata) {}
