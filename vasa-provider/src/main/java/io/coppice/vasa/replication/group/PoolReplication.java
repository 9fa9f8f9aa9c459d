package io.coppice.vasa.replication.group;

import io.coppice.engine.StorageEngine;
import io.coppice.replication.PoolName;
import io.coppice.replication.intake.ReplicationTarget;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.replication.link.PeerLinks;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.lifecycle.VolumeRecovery;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.InstantSource;
import java.util.UUID;

/// The replication of a pool: its links, what it sends and what it receives.
public final class PoolReplication implements AutoCloseable {

  private final PeerLinks links;
  private final CycleRounds rounds;
  private final ReplicationGroups groups;
  private final ReplicationTarget target;

  /// @param self this pool
  public PoolReplication(
      PoolName self,
      PeerRecords peers,
      PeerLinks.Settings settings,
      VolumeStore store,
      VirtualVolumes virtual,
      VolumeRecovery recovery,
      Containers containers,
      InstantSource clock) {
    StorageEngine engine = store.engine();
    ReplicaCatalog catalog = new ReplicaCatalog(engine);
    GroupRecords records = new GroupRecords(engine.records());
    GroupMembers members = new GroupMembers(engine);
    ReplicaVolumes volumes = new ReplicaVolumes(store, recovery, containers, catalog);
    rounds = new CycleRounds(engine, records, catalog, this::connect, this::thin, clock);
    RoleChanges changes =
        new RoleChanges(
            records,
            catalog,
            members,
            volumes,
            virtual,
            rounds,
            this::connect,
            this::stop,
            store.changes()::note,
            clock);
    groups =
        new ReplicationGroups(
            records,
            catalog,
            members,
            volumes,
            rounds,
            changes,
            this::connect,
            this::stop,
            pool -> peers.known(pool).isPresent(),
            store.changes()::note,
            clock);
    GroupCalls calls =
        new GroupCalls(
            records, rounds, changes, pool -> peers.known(pool).isPresent(), this::thin, clock);
    target = new ReplicationTarget(engine, catalog, self, calls, ReplicationTarget.NOTE_BYTES);
    links = new PeerLinks(self, peers, settings, target::serve);
  }

  private Conversation connect(UUID peer) {
    return links.connect(peer);
  }

  private void stop(UUID group) {
    target.stop(group);
  }

  private void thin(UUID group) {
    Thread.ofVirtual().name("replication-thinning").start(() -> groups.thin(group));
  }

  public PeerLinks links() {
    return links;
  }

  public ReplicationGroups groups() {
    return groups;
  }

  /// Receives from now on, and sends.
  public void start() {
    links.start();
    rounds.start();
  }

  /// Ends links and cycles. What was under way goes on after the next start.
  @Override
  public void close() {
    rounds.close();
    links.close();
  }
}
