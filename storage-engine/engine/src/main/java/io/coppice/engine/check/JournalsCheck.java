package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.OldBlocks;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.StoredVolume.Role;
import io.coppice.engine.format.table.VolumeRow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The check of the journals of volumes: each has the hidden volumes that it names, each hidden
/// volume belongs to one, and the map of a tier has as many blocks as the tier has slots and stored
/// blocks of its list.
final class JournalsCheck {

  private static final int BLOCK = 4096;
  private static final int SLOT_AT = 2;
  private static final int OFFSET_AT = 3;

  private final Findings findings;
  private final FindingLocation where;
  private final Map<Integer, VolumeRow> volumes = new HashMap<>();
  private final Map<Integer, VolumeRow> hidden = new HashMap<>();

  JournalsCheck(Findings findings, FindingLocation where) {
    this.findings = findings;
    this.where = where;
  }

  void run(StateTables tables, List<JournalRow> journals, MapWalk walk) {
    for (VolumeRow row : tables.volumes()) {
      (row.volume().role() == Role.HIDDEN ? hidden : volumes).put(row.number(), row);
    }
    for (JournalRow journal : journals) {
      if (volumes.remove(journal.volume()) == null) {
        damage("expected one journal of a volume, found one of volume " + journal.volume());
      }
      journal.tiers().forEach(tier -> tier(journal, tier, walk));
      journal.tiers().forEach(tier -> openStep(journal, tier));
      journal.bases().forEach(base -> take(journal, base.number()));
    }
    for (Integer number : hidden.keySet()) {
      damage("expected a journal of hidden volume %d, found none".formatted(number));
    }
  }

  private @Nullable VolumeRow take(JournalRow journal, int number) {
    VolumeRow row = hidden.remove(number);
    if (row == null) {
      damage(
          "expected hidden volume %d of the journal of volume %d, found none"
              .formatted(number, journal.volume()));
    }
    return row;
  }

  private void tier(JournalRow journal, JournalRow.Tier tier, MapWalk walk) {
    VolumeRow row = take(journal, tier.number());
    Long mapped = row == null ? null : walk.mappedOf(row.version());
    long slots = tier.nextSlot() - tier.points()[SLOT_AT];
    long blocks = tier.listFrom() / BLOCK - tier.points()[OFFSET_AT] / BLOCK;
    if (mapped != null && mapped != slots + blocks) {
      damage(
          "expected %d slots and %d blocks of a list in hidden volume %d, found %d"
              .formatted(slots, blocks, tier.number(), mapped));
    }
  }

  /// The list behind the newest point begins with a run, and has a block for each slot since. What
  /// it references are slots that a tier has.
  private void openStep(JournalRow journal, JournalRow.Tier tier) {
    int newest = tier.points().length - JournalRow.POINT_FIELDS;
    long from = tier.points()[newest + OFFSET_AT] - tier.listFrom();
    long slots = tier.nextSlot() - tier.points()[newest + SLOT_AT];
    long[] found = {0};
    try {
      if (from < 0) {
        throw new FormatException("expected the list behind the newest point, found less");
      }
      byte[] rest = Arrays.copyOfRange(tier.list(), (int) from, tier.list().length);
      OldBlocks.read(
          rest,
          run -> {
            found[0] += run.hidden() == tier.number() ? run.blocks() : 0;
            slots(journal, tier, run);
          });
    } catch (FormatException e) {
      damage("hidden volume %d: %s".formatted(tier.number(), e.getMessage()));
      return;
    }
    if (found[0] != slots) {
      damage(
          "expected %d blocks in the list of hidden volume %d behind its newest point, found %d"
              .formatted(slots, tier.number(), found[0]));
    }
  }

  private void slots(JournalRow journal, JournalRow.Tier tier, OldBlocks.Run run) {
    boolean isThere =
        run.isHole()
            || tier.closedAt() != 0 // nobody goes back by its list
            || journal.tiers().stream()
                .anyMatch(
                    each ->
                        each.number() == run.hidden()
                            && run.slot() >= each.points()[SLOT_AT]
                            && run.slot() + run.blocks() <= each.nextSlot());
    if (!isThere) {
      damage(
          "expected slots of a tier in the list of hidden volume %d, found %d to %d of volume %d"
              .formatted(tier.number(), run.slot(), run.slot() + run.blocks() - 1, run.hidden()));
    }
  }

  private void damage(String sentence) {
    findings.damage(Structure.VOLUME, where, sentence);
  }
}
