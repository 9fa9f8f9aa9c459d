package io.coppice.replication.intake;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.replication.Cycle;
import io.coppice.replication.Place;
import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.link.Handshake;
import io.coppice.replication.link.Link;
import io.coppice.replication.message.LinkMessage;
import io.coppice.replication.replica.ReplicaCatalog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A pool that receives the cycles of others.
///
/// Each link is served on a thread of its own. A group has one cycle at a time: if its source comes
/// again on another link, the link before is closed, and the cycle goes on where the other one
/// stopped. Safe for any thread.
public final class ReplicationTarget {

  /// Bytes of data after which a cycle notes what is stable, unless a target is told otherwise: as
  /// much may come again after a restart.
  public static final long NOTE_BYTES = 64L << 20;

  private final StorageEngine engine;
  private final ReplicaCatalog catalog;
  private final PoolName self;
  private final TargetRules rules;
  private final long noteBytes;
  private final Map<UUID, Serving> serving = new HashMap<>(); // by group, under itself

  /// @param noteBytes such as [#NOTE_BYTES]
  public ReplicationTarget(
      StorageEngine engine,
      ReplicaCatalog catalog,
      PoolName self,
      TargetRules rules,
      long noteBytes) {
    this.engine = engine;
    this.catalog = catalog;
    this.self = self;
    this.rules = rules;
    this.noteBytes = noteBytes;
  }

  /// Serves a link that another pool has opened, until it ends.
  ///
  /// @throws ReplicationException that says why the link ended: every link ends some time
  public void serve(Link link) {
    serve(link, rules::admit);
  }

  /// As the other, of a link whose certificate says which pool has opened it.
  public void serve(Link link, UUID certified) {
    serve(
        link,
        pool -> {
          if (!pool.id().equals(certified)) {
            throw new ReplicationException(
                Reason.FORBIDDEN,
                "Expected pool %s, whose certificate came, got %s.".formatted(certified, pool));
          }
          rules.admit(pool);
        });
  }

  private void serve(Link link, Consumer<PoolName> judge) {
    PoolName peer = Handshake.answer(link, self, judge);
    Serving session = new Serving(link, peer);
    try {
      while (true) {
        session.handle(link.receive());
      }
    } finally {
      session.end();
      link.close();
    }
  }

  /// Ends the cycle of a group that is on its way, if there is one. Nothing of the group is written
  /// when this returns; the caller's rules refuse the next one.
  public void stop(UUID group) {
    Serving before;
    synchronized (serving) {
      before = serving.get(group);
    }
    if (before != null) {
      before.link.close();
      before.awaitEnd();
    }
  }

  /// A link that is served, with the cycle that it has under way.
  private final class Serving {
    private final Link link;
    private final PoolName peer;
    private final Object idle = new Object();
    private @Nullable CycleIntake intake; // of the serving thread
    private @Nullable UUID group; // that it has in `serving`
    private boolean refuses; // until the source begins anew: it has been told
    private boolean ended; // under `idle`

    Serving(Link link, PoolName peer) {
      this.link = link;
      this.peer = peer;
    }

    void handle(LinkMessage message) {
      try {
        answer(message);
      } catch (ReplicationException e) {
        if (!link.isOpen()) {
          throw e;
        }
        refuse(e.reason(), e.sentence());
      } catch (StorageException e) {
        refuse(reasonOf(e), String.valueOf(e.getMessage()));
      }
    }

    private static Reason reasonOf(StorageException e) {
      return switch (e) {
        case StorageException.OutOfSpace _ -> Reason.OUT_OF_SPACE;
        case StorageException.DeviceFailed _,
            StorageException.PoolUnusable _,
            StorageException.Damaged _ ->
            Reason.POOL_FAILED;
        default -> Reason.STATE;
      };
    }

    private void refuse(Reason reason, String sentence) {
      giveUpIntake();
      refuses = true;
      link.send(new LinkMessage.Failed(reason, sentence));
    }

    private void answer(LinkMessage message) {
      switch (message) {
        case LinkMessage.AskReplicas(var asked) -> {
          rules.admit(peer, asked);
          link.send(
              new LinkMessage.Replicas(
                  catalog.of(asked).stream().limit(LinkMessage.MAX_RANGES).toList(),
                  CycleProgress.begun(engine.records(), asked)));
        }
        case LinkMessage.AskKnown(var snapshots) ->
            link.send(new LinkMessage.Known(catalog.known(snapshots)));
        case LinkMessage.Begin(var cycle) -> begin(cycle);
        case LinkMessage.Blocks blocks -> {
          if (!refuses) {
            required().write(blocks);
          }
        }
        case LinkMessage.Holes holes -> {
          if (!refuses) {
            required().unmap(holes);
          }
        }
        case LinkMessage.Commit(var cycle) -> {
          if (!refuses) {
            commit(cycle);
          }
        }
        case LinkMessage.Call(var subject, var text) ->
            link.send(new LinkMessage.Reply(rules.answer(peer, subject, text)));
        case LinkMessage other ->
            throw new ReplicationException(
                Reason.DAMAGED,
                "Expected a question or data from the source, got %s."
                    .formatted(other.getClass().getSimpleName()));
      }
    }

    private CycleIntake required() {
      if (intake == null) {
        throw new ReplicationException(
            Reason.DAMAGED, "Expected a cycle to begin before its data, got data.");
      }
      return intake;
    }

    private void begin(Cycle cycle) {
      giveUpIntake();
      rules.admit(peer, cycle.group());
      claim(cycle.group());
      rules.admit(
          peer, cycle.group()); // again: what stopped the group did not see this link before
      intake =
          CycleIntake.begin(engine, catalog, cycle, new CycleIntake.Notes(noteBytes, this::tell));
      refuses = false;
      link.send(new LinkMessage.Begun(intake.place()));
    }

    private void tell(Place place) {
      link.send(new LinkMessage.Progress(place));
    }

    private void commit(UUID cycle) {
      required().commit(cycle);
      intake = null;
      rules.received(peer, Objects.requireNonNull(group), cycle);
      link.send(new LinkMessage.Committed(cycle));
    }

    /// Takes the group over from another link, which is closed first.
    private void claim(UUID claimed) {
      release();
      while (true) {
        Serving before;
        synchronized (serving) {
          before = serving.putIfAbsent(claimed, this);
        }
        if (before == null) {
          group = claimed;
          return;
        }
        before.link.close();
        before.awaitEnd();
      }
    }

    private void release() {
      synchronized (serving) {
        if (group != null) {
          serving.remove(group, this);
          group = null;
        }
      }
    }

    private void giveUpIntake() {
      if (intake != null) {
        intake.giveUp();
        intake = null;
      }
    }

    void end() {
      giveUpIntake();
      release();
      synchronized (idle) {
        ended = true;
        idle.notifyAll();
      }
    }

    private void awaitEnd() {
      synchronized (idle) {
        while (!ended) {
          try {
            idle.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicationException(
                Reason.BUSY, "Another cycle of the group is on its way, and has not ended.", e);
          }
        }
      }
    }
  }
}
