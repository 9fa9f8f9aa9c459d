package io.coppice.vasa.replication.runbook;

import io.coppice.engine.StorageException;
import io.coppice.replication.Replica;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The turn of one replication group in a run: its check, its fail-over, the begin and the end of
/// its test. Safe for any thread.
final class GroupTurn {

  private static final Logger log = LoggerFactory.getLogger(GroupTurn.class);

  private final ReplicationGroups groups;
  private final RunbookExports exports;
  private final WorkGate gate;
  private final InstantSource clock;

  GroupTurn(ReplicationGroups groups, RunbookExports exports, WorkGate gate, InstantSource clock) {
    this.groups = groups;
    this.exports = exports;
    this.gate = gate;
    this.clock = clock;
  }

  /// The result of a group whose turn has not come.
  GroupResult waiting(UUID id) {
    return GroupResult.waiting(
        id, find(id).map(group -> group.plan().name()).orElse(id.toString()));
  }

  private Optional<ReplicatedGroup> find(UUID id) {
    return groups.list().stream().filter(group -> group.id().equals(id)).findFirst();
  }

  // ---- check

  /// What would happen to a group. Nothing is changed.
  GroupResult check(Runbook runbook, UUID id) {
    ReplicatedGroup group = find(id).orElse(null);
    GroupResult result = waiting(id);
    if (group == null) {
      return result.saying(GroupOutcome.MISSING, List.of("the replication group is not here"));
    }
    if (isHere(group)) {
      return result.with(GroupOutcome.ALREADY);
    }
    List<String> missing = new ArrayList<>();
    if (group.state() != GroupState.TARGET) {
      missing.add("it is in state %s here, and must be in TARGET".formatted(group.state()));
    }
    try {
      groups.requireLanding(group);
    } catch (VasaException e) {
      missing.add(String.valueOf(e.getMessage()));
    }
    Replica replica = newest(id).orElse(null);
    if (replica == null) {
      missing.add("it has no replica here yet");
      return result.saying(GroupOutcome.MISSING, missing);
    }
    tooOld(runbook, replica).ifPresent(missing::add);
    runbook
        .plan()
        .exportOf(id, false)
        .ifPresent(one -> missing.addAll(exports.obstacles(one, replica, "")));
    runbook
        .plan()
        .exportOf(id, true)
        .ifPresent(one -> missing.addAll(exports.obstacles(one, replica, "for tests: ")));
    return of(result, replica)
        .saying(missing.isEmpty() ? GroupOutcome.READY : GroupOutcome.MISSING, missing);
  }

  private Optional<Replica> newest(UUID id) {
    return groups.replicas(id).stream().findFirst();
  }

  /// Whether its volumes are here already: it failed over, or was even reversed since.
  private static boolean isHere(ReplicatedGroup group) {
    return group.state() == GroupState.FAILEDOVER || group.state() == GroupState.SOURCE;
  }

  private Optional<String> tooOld(Runbook runbook, Replica replica) {
    Duration oldest = runbook.plan().oldest();
    Duration age = age(replica);
    return oldest == null || age.compareTo(oldest) <= 0
        ? Optional.empty()
        : Optional.of(
            "its newest replica is %s old, and %s is the most"
                .formatted(TimeText.iso(age), TimeText.iso(oldest)));
  }

  private Duration age(Replica replica) {
    Duration age = Duration.between(replica.taken(), clock.instant());
    return age.isNegative() ? Duration.ZERO : Duration.ofSeconds(age.toSeconds());
  }

  private GroupResult of(GroupResult result, Replica replica) {
    return result.of(replica.cycle(), replica.taken(), age(replica));
  }

  // ---- fail-over

  /// Fails a group over, unless its volumes are here, and exports them. May be repeated.
  GroupResult failOver(Runbook runbook, GroupResult begun, boolean planned) {
    long start = System.nanoTime();
    try (var _ = gate.enter()) {
      ReplicatedGroup group = groups.require(begun.group());
      if (!group.settled()) {
        groups.roles().settleAll(); // a step of it failed before; each may be repeated
        group = groups.require(begun.group());
      }
      GroupOutcome outcome = GroupOutcome.ALREADY;
      if (!isHere(group)) {
        group = groups.roles().failOver(group.id(), null, planned, false);
        outcome = GroupOutcome.DONE;
      } else if (!group.settled()) {
        throw VasaException.busy(
            "%s has begun to fail over, and its next step fails: the log says why"
                .formatted(group.text()));
      }
      return exported(runbook, group, used(begun, group).with(outcome), false).after(since(start));
    } catch (RuntimeException e) {
      return failed(begun, e).after(since(start));
    }
  }

  private static Duration since(long start) {
    return Duration.ofMillis(Duration.ofNanos(System.nanoTime() - start).toMillis());
  }

  /// The result with the replica that the state of the group is about.
  private GroupResult used(GroupResult result, ReplicatedGroup group) {
    UUID cycle = group.replica();
    return groups.replicas(group.id()).stream()
        .filter(replica -> replica.cycle().equals(cycle))
        .findFirst()
        .map(replica -> of(result, replica))
        .orElse(result);
  }

  private GroupResult exported(
      Runbook runbook, ReplicatedGroup group, GroupResult result, boolean ofTest) {
    RunbookExport wanted = runbook.plan().exportOf(group.id(), ofTest).orElse(null);
    if (wanted == null) {
      return result;
    }
    try {
      return result.exporting(exports.export(group, wanted));
    } catch (RuntimeException e) {
      GroupResult failed = failed(result, e);
      return failed.saying(
          GroupOutcome.FAILED,
          List.of("its volumes are here, but not exported: " + failed.sentences().getFirst()));
    }
  }

  private static GroupResult failed(GroupResult result, RuntimeException e) {
    return result.saying(GroupOutcome.FAILED, List.of(sentence(e)));
  }

  private static String sentence(RuntimeException e) {
    if (e instanceof VasaException
        || e instanceof RefusedException
        || e instanceof StorageException) {
      return String.valueOf(e.getMessage());
    }
    log.atError().setCause(e).log("a step of a runbook failed");
    return "an error, which the log has: " + e.getClass().getSimpleName();
  }

  // ---- test

  /// Begins the test of a group and exports its volumes.
  ///
  /// *Crash argument:* the report says that a test begins before it does, and since when. After a
  /// crash in between, the group is in no test, or in one that began since then, which is ended.
  /// Who begins another test of the group in the very moment of that crash loses it.
  ///
  /// @param write writes the report
  GroupResult startTest(Runbook runbook, GroupResult begun, Consumer<GroupResult> write) {
    long start = System.nanoTime();
    GroupResult result = begun;
    Instant meant = null;
    try (var _ = gate.enter()) {
      Replica replica = newest(begun.group()).orElse(null);
      if (replica != null) {
        result = of(begun, replica);
        Optional<String> old = tooOld(runbook, replica);
        if (old.isPresent()) {
          return result.saying(GroupOutcome.FAILED, List.of(old.get()));
        }
      }
      if (groups.require(begun.group()).state() == GroupState.TARGET) {
        meant = now();
        write.accept(result.testing(meant));
      }
      ReplicatedGroup group = groups.roles().startTest(begun.group(), null, false);
      result = used(result, group).with(GroupOutcome.DONE).testing(group.since());
      write.accept(result);
      return exported(runbook, group, result, true).after(since(start));
    } catch (RuntimeException e) {
      GroupResult failed = failed(result, e).after(since(start));
      return failed.testSince() == null && meant != null ? begunSince(failed, meant) : failed;
    }
  }

  /// The result with the test that is open of its group if it began at a time or later. So is one
  /// whose begin failed before it had all of its clones.
  private GroupResult begunSince(GroupResult result, Instant meant) {
    return result.testing(
        find(result.group())
            .filter(group -> group.state() == GroupState.INTEST)
            .map(ReplicatedGroup::since)
            .filter(since -> !since.isBefore(meant))
            .orElse(null));
  }

  /// The result of a group whose turn a crash cut, with its test if one had begun.
  GroupResult cut(GroupResult going) {
    Instant meant = going.testSince();
    return (meant == null ? going : begunSince(going, meant)).with(GroupOutcome.CUT);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /// Ends the test that a run began of a group: takes the exports of the runbook back and deletes
  /// the volumes. A test that somebody else began stays. May be repeated.
  ///
  /// @return the result without an open test; with it, and a sentence, if it could not be ended
  GroupResult endTest(Runbook runbook, GroupResult begun) {
    Instant since = begun.testSince();
    if (since == null) {
      return begun;
    }
    try (var _ = gate.enter()) {
      ReplicatedGroup group = find(begun.group()).orElse(null);
      if (group == null || group.state() != GroupState.INTEST || !group.since().equals(since)) {
        return begun.testing(null);
      }
      runbook.plan().exportOf(group.id(), true).ifPresent(one -> exports.unexport(group, one));
      groups.roles().stopTest(group.id());
      return begun.testing(null);
    } catch (RuntimeException e) {
      return begun.saying(begun.outcome(), List.of("its test was not ended: " + sentence(e)));
    }
  }
}
