package io.coppice.api.iscsi;

import org.jspecify.annotations.Nullable;

/// A change of the end of a temporary export.
///
/// @param keepFor from now on, ISO 8601
public record TemporaryExportChange(@Nullable String keepFor) {}
