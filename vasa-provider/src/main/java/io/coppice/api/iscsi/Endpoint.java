package io.coppice.api.iscsi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A protocol endpoint.
///
/// @param retiredSince null while it is in service
/// @param bindings how many go through it
/// @param leaving how many moved from it and have not left it yet
public record Endpoint(
    int lun,
    String naa,
    boolean inService,
    @Nullable Instant retiredSince,
    long bindings,
    long leaving) {}
