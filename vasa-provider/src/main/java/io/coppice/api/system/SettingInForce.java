package io.coppice.api.system;

import org.jspecify.annotations.Nullable;

/// A setting with its value.
///
/// @param value null if it is a secret that is set
/// @param origin where the value comes from
/// @param defaultValue null for an element of a list that is empty by default
/// @param secret whether its value is never shown
public record SettingInForce(
    String name,
    @Nullable String value,
    String origin,
    @Nullable String defaultValue,
    boolean secret) {}
