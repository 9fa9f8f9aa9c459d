/// Replication to another provider, as VASA 3.0 has it: fault domains, groups, point-in-time
/// replicas, failover. Entry point: [io.coppice.vasa.replication.Replication]; so far its one
/// implementation is the provider that has no partner. Depends on faults only.
@NullMarked
package io.coppice.vasa.replication;

import org.jspecify.annotations.NullMarked;
