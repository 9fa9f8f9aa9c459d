package io.coppice.api.host;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A host, as VASA knows it.
///
/// @param lastSeen its last VASA call; null without an open session
/// @param bindings how many vVols it has bound
public record Host(String id, List<String> initiators, @Nullable Instant lastSeen, long bindings) {}
