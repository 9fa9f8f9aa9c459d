package io.coppice.engine.scrub;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.io.BlockCheck;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SuspectBlock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A pass over everything that is stored, zone by zone in the order of the device. One thread.
///
/// Nothing is held while it reads: a zone may be emptied and used again meanwhile. So a mismatch is
/// only a suspicion. The committer knows whether the block still lives at that place. A finding is
/// made only after the block was read once more as a volume maps it, inside an epoch.
///
/// Each device of a mirror is read. Damage on one of them is written anew from the other, also
/// inside an epoch.
///
/// *Data*: the batches of a zone name every block in it, with its CRC; see [DataScrub]. Behind an
/// unreadable header nothing names the blocks. Then the maps say what lives there, and each of
/// those blocks is looked at. *Nodes*: every living block in a zone of nodes has an intact node,
/// and the same one in the second zone; see [NodeScrub]. *The head*: see [RestartVerifier]; a
/// checkpoint replaces damage there.
final class ScrubPass {

  /// After a walk over all maps, other work follows for this many times as long.
  private static final int REST_AFTER_WALK = 20;

  private static final int MANY_SUSPECTS = 65_536;

  private final ScrubView facts;
  private final PoolState state;
  private final Tools tools;
  private final Progress progress;
  private final ScrubFindings findings;
  private final ScrubCoverage coverage;

  private final Set<Long> suspects = new HashSet<>();
  private final List<Places> unnamed = new ArrayList<>();
  private long nextWalk = System.nanoTime();

  /// The readers of the device.
  ///
  /// @param checkpoint tries to make one and waits for its end
  record Tools(
      DataScrub data,
      NodeScrub nodes,
      RestartVerifier head,
      BlockCheck blocks,
      Runnable checkpoint) {}

  /// The receiver of the pass's progress; it may throw to end the pass.
  interface Progress {
    void zone(int next);

    void verified(long bytes);

    void between();
  }

  /// A run of places of blocks: from the first one to before the last one.
  private record Places(long from, long to) {}

  ScrubPass(
      ScrubView facts,
      PoolState state,
      Tools tools,
      ScrubFindings findings,
      ScrubCoverage coverage,
      Progress progress) {
    this.facts = facts;
    this.state = state;
    this.tools = tools;
    this.findings = findings;
    this.coverage = coverage;
    this.progress = progress;
  }

  /// @param from the zone to begin with
  void run(int from) {
    head();
    for (int zone = from; zone < facts.zones(); zone++) {
      visit(zone);
      if (System.nanoTime() >= nextWalk || suspects.size() > MANY_SUSPECTS) {
        report();
      }
      progress.zone(zone + 1);
    }
    report();
    findings.recheck(tools.blocks);
  }

  /// Adds a block to those whose volumes are looked for.
  void suspect(long address) {
    suspects.add(address);
  }

  private void visit(int zone) {
    BitSet expected = coverage.expect(zone);
    ScrubView.Filling filling = facts.filling(zone);
    Optional<ScrubView.Zone> found = facts.zone(zone);
    found.ifPresent(this::zone);
    // Of what lives in a full zone nothing is known if its page cannot be read.
    boolean whole =
        switch (filling) {
          case OPEN -> false;
          case DEAD -> true;
          case FULL -> found.isPresent();
        };
    if (!whole) {
      coverage.undo(expected);
    }
  }

  private void zone(ScrubView.Zone zone) {
    if (zone.kind() == Segment.Kind.LOG) {
      data(zone);
    } else {
      nodes(zone);
    }
  }

  // ---- data

  private void data(ScrubView.Zone zone) {
    tools.data.zone(zone).forEach(result -> data(zone, result));
  }

  private void data(ScrubView.Zone zone, DataScrub.Result found) {
    progress.verified(found.bytes());
    for (SuspectBlock suspect : facts.living(found.bad())) {
      suspects.add(BlockAddress.of(suspect.segment(), suspect.block(), 1));
    }
    int end = found.end();
    if (isCutShort(zone, end, found.guests())) {
      long place = (long) zone.zone() * state.segments().blocksPerZone();
      unnamed.add(new Places(place + end, place + state.segments().blocksPerZone()));
      String header =
          "the header of a batch of the log at block %d of zone %d%s"
              .formatted(end, zone.zone(), found.copy().name());
      findings.bad(header, storeAnew(facts.head()), zone.zone());
    }
  }

  /// Whether something lives behind the last readable batch, or should have been readable.
  private boolean isCutShort(ScrubView.Zone zone, int end, List<SuspectBlock> guests) {
    if (zone.open()) {
      return end < zone.limit() && facts.zone(zone.zone()).isPresent();
    }
    BitSet behind = (BitSet) zone.living().clone();
    behind.clear(0, end);
    if (!behind.isEmpty()) {
      behind.and(facts.livingAtHome(zone.zone(), zone.segment()));
    }
    return !behind.isEmpty()
        || (zone.guests() > 0 && facts.guestsUntold(zone.zone(), zone.segment(), guests) > 0);
  }

  /// Finds out which volumes see the suspected blocks, and reads them as they do.
  void report() {
    if (suspects.isEmpty() && unnamed.isEmpty()) {
      return;
    }
    long start = System.nanoTime();
    for (ReverseLookup.Reference at :
        new ReverseLookup(state, progress::between).of(this::isSuspect)) {
      BlockCheck.Bad bad = tools.blocks.check(at.volume(), at.block());
      if (bad != null) {
        findings.bad(bad);
      }
      progress.between();
    }
    suspects.clear();
    unnamed.clear();
    long now = System.nanoTime();
    nextWalk = now + REST_AFTER_WALK * (now - start);
  }

  private boolean isSuspect(long address) {
    if (address == BlockAddress.NONE) {
      return false;
    }
    if (suspects.contains(address)) {
      return true;
    }
    if (unnamed.isEmpty()) {
      return false;
    }
    long place = (offsetOf(address) - PoolLayout.SUPERBLOCK_AREA) / PoolLayout.BLOCK;
    return unnamed.stream().anyMatch(places -> places.from <= place && place < places.to);
  }

  // A block whose page cannot be read is a finding of its own.
  private long offsetOf(long address) {
    int ticket = state.epochs().enter();
    try {
      return state.pages().offsetOf(address);
    } catch (StorageException e) {
      return -1;
    } finally {
      state.epochs().leave(ticket);
    }
  }

  // ---- what the pool needs for itself

  private void nodes(ScrubView.Zone zone) {
    NodeScrub.Result result = tools.nodes.zone(zone);
    progress.verified(result.bytes());
    result.damages().forEach(damage -> findings.bad(damage, false, zone.zone()));
  }

  private void head() {
    ScrubView.Head head = facts.head();
    List<String> damages = tools.head.damages(head);
    // A checkpoint that came in between has freed the structures that were read.
    while (!damages.isEmpty() && generation(facts.head()) != generation(head)) {
      head = facts.head();
      damages = tools.head.damages(head);
      progress.between();
    }
    if (!damages.isEmpty()) {
      boolean replaced = storeAnew(head);
      damages.forEach(damage -> findings.bad(damage, replaced));
    }
  }

  /// Replaces structures by a later checkpoint, because a restart may need them until then.
  private boolean storeAnew(ScrubView.Head before) {
    tools.checkpoint.run();
    ScrubView.Head now = facts.head();
    return generation(now) != generation(before) && tools.head.damages(now).isEmpty();
  }

  private static long generation(ScrubView.Head head) {
    return head.superblock().generation();
  }
}
