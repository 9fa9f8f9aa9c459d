package io.coppice.api.alert;

import org.jspecify.annotations.Nullable;

/// A request to acknowledge an alert.
///
/// @param note up to 512 characters; null for none
public record AlertNote(@Nullable String note) {}
