package io.coppice.api.replication;

import java.util.UUID;

/// The replica that the target has after a cycle that was wanted.
public record MadeReplica(UUID replica) {}
