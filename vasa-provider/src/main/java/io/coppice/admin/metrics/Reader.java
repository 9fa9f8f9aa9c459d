package io.coppice.admin.metrics;

import io.coppice.admin.access.AdminCaller;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The reader of metrics, and the storage containers that exist for it.
///
/// @param containers null: all
record Reader(@Nullable Set<UUID> containers) {

  static final Reader OF_ALL = new Reader(null);

  static Reader of(AdminCaller caller) {
    return caller.isBound() ? new Reader(Set.copyOf(caller.containers())) : OF_ALL;
  }

  /// Whether it is bound to no containers.
  boolean seesAll() {
    return containers == null;
  }

  boolean sees(UUID container) {
    return containers == null || containers.contains(container);
  }
}
