package io.coppice.api.search;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An object that a search found.
///
/// @param type `volume`, `vvol`, `snapshot`, `vm`, `container`, `policy`, `protectionPolicy`,
///   `protectionGroup`, `host` or `hostGroup`
/// @param name null if it has none
/// @param why the field that has the text: `name`, `id`, `naa`, `lun` or `initiator`
/// @param container where it is stored; null for what is in none
public record SearchHit(
    String type, String id, @Nullable String name, String why, @Nullable UUID container) {}
