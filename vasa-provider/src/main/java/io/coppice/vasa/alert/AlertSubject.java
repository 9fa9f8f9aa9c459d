package io.coppice.vasa.alert;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The object that an alert is about.
///
/// @param kind such as `system`, `container` or `volume`
/// @param id as REST names it
/// @param name for people; null without one
/// @param container storage container that it is, or is in; null for none
public record AlertSubject(
    String kind, String id, @Nullable String name, @Nullable UUID container) {}
