package io.coppice.api.system;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An event.
///
/// @param sentence what happened, in English
/// @param change `New`, `Update` or `Delete`; null for events that are about no object
/// @param message key into the message catalog
public record Occurrence(
    long id,
    Instant at,
    String sentence,
    String type,
    @Nullable String change,
    @Nullable String objectType,
    @Nullable String objectId,
    String message,
    Map<String, String> parameters,
    List<String> vvols) {}
