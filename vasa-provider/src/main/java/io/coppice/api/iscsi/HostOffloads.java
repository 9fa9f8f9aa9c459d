package io.coppice.api.iscsi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Offloaded commands of one host.
///
/// @param host null: of all initiators that no host has
/// @param initiators those that let the array do something
public record HostOffloads(@Nullable String host, List<String> initiators, OffloadCounts counts) {}
