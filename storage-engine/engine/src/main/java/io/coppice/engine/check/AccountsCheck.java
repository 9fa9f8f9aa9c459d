package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.StateTables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check of a checkpoint's accounts against its maps. Each map is compared with that of the
/// account above, entry by entry, except in nodes that both share.
final class AccountsCheck {

  private static final int FANOUT = 512;

  private final PoolReader reader;
  private final Findings findings;
  private final SegmentMap segments;
  private final FamilyCheck lineage;
  private final FindingLocation where;
  private Map<Integer, Integer> accountOf = Map.of();
  private boolean unreadable;

  /// @param where the tables are
  AccountsCheck(
      PoolReader reader,
      Findings findings,
      SegmentMap segments,
      FamilyCheck lineage,
      FindingLocation where) {
    this.reader = reader;
    this.findings = findings;
    this.segments = segments;
    this.lineage = lineage;
    this.where = where;
  }

  /// The receiver of an entry that one map has and the other has not.
  private interface Entries {
    void entry(long address, int born);
  }

  void run(StateTables tables, List<AccountTable.Row> rows) {
    AccountTree tree = new AccountTree(tables.versions(), lineage);
    accountOf = tree.accountOf();
    Map<Integer, NodeAddress> roots = new HashMap<>();
    tables.versions().forEach(row -> roots.put(row.id(), row.root()));
    Set<Integer> expected = new HashSet<>(accountOf.values());
    expected.remove(0);
    for (AccountTable.Row row : rows) {
      if (expected.remove(row.version())) {
        check(
            row, roots.getOrDefault(tree.parentOf(row.version()), NodeAddress.NONE), roots, tables);
      } else {
        damage("expected no account of version %d, found one".formatted(row.version()));
      }
    }
    for (int version : expected) {
      damage("expected an account of version %d, found none".formatted(version));
    }
  }

  private void check(
      AccountTable.Row row,
      NodeAddress above,
      Map<Integer, NodeAddress> roots,
      StateTables tables) {
    unreadable = false;
    long[] own = new long[2];
    Map<Integer, Long> hidden = new HashMap<>();
    NodeAddress root = roots.getOrDefault(row.version(), NodeAddress.NONE);
    compare(
        root,
        above,
        MapWalk.ROOT_LEVEL,
        0,
        0,
        (address, born) -> {
          if (accountOf(born) == row.version()) {
            own[0]++;
            own[1] += segments.isCounted(address) ? 1 : 0;
          }
        });
    compare(
        above,
        root,
        MapWalk.ROOT_LEVEL,
        0,
        0,
        (_, born) -> hidden.merge(accountOf(born), 1L, Long::sum));
    for (FreeRow free : tables.frees()) {
      if (!free.whole()
          && free.level() <= MapWalk.ROOT_LEVEL
          && accountOf(free.owner()) == row.version()) {
        compare(
            free.node(),
            NodeAddress.NONE,
            free.level(),
            free.first(),
            free.cursor(),
            (_, born) -> {
              if (accountOf(born) == row.version()) {
                own[0]++;
              } else {
                hidden.merge(accountOf(born), -1L, Long::sum);
              }
            });
      }
    }
    if (!unreadable) {
      equal(row, own, hidden);
    }
  }

  private void equal(AccountTable.Row row, long[] own, Map<Integer, Long> hidden) {
    int version = row.version();
    if (row.own() != own[0]) {
      damage(
          "expected %d entries of version %d's own by its account, found %d in the maps"
              .formatted(row.own(), version, own[0]));
    }
    if (row.counted() < own[1]) {
      damage(
          "expected at most %d own entries of version %d to be of counted blocks, found %d"
              .formatted(row.counted(), version, own[1]));
    }
    Map<Integer, Long> stored = new HashMap<>();
    row.hidden().forEach(each -> stored.merge(each.above(), each.entries(), Long::sum));
    Set<Integer> all = new HashSet<>(hidden.keySet());
    all.addAll(stored.keySet());
    for (int above : all) {
      long expected = stored.getOrDefault(above, 0L);
      long found = hidden.getOrDefault(above, 0L);
      if (expected != found) {
        damage(
            "expected version %d to hide %d entries of version %d by its account, found %d in the maps"
                .formatted(version, expected, above, found));
      }
    }
  }

  private int accountOf(int born) {
    return accountOf.getOrDefault(lineage.resolve(born), 0);
  }

  /// Reports every entry below `one` that is not in the same place below `other`.
  private void compare(
      NodeAddress one, NodeAddress other, int level, long first, long cursor, Entries entries) {
    if (one.address() == BlockAddress.NONE || one.address() == other.address()) {
      return;
    }
    NodeImage mine = read(one);
    NodeImage theirs = read(other);
    if (mine == null || mine.level() != level || (theirs != null && theirs.level() != level)) {
      unreadable = true;
      return;
    }
    int[] at = places(theirs);
    long span = level == 0 ? 1 : MapWalk.span(level - 1);
    for (int i = 0; i < mine.indexes().length; i++) {
      long start = first + mine.indexes()[i] * span;
      int same = at[mine.indexes()[i]];
      NodeImage also = same >= 0 ? theirs : null;
      if (start + span <= cursor) {
        continue;
      }
      if (level > 0) {
        NodeAddress below = also == null ? NodeAddress.NONE : child(also, same);
        compare(child(mine, i), below, level - 1, start, cursor, entries);
      } else if (also == null
          || also.addresses()[same] != mine.addresses()[i]
          || also.third()[same] != mine.third()[i]) {
        entries.entry(mine.addresses()[i], mine.third()[i]);
      }
    }
  }

  private static NodeAddress child(NodeImage image, int entry) {
    return new NodeAddress(image.addresses()[entry], image.crcs()[entry]);
  }

  private static int[] places(@Nullable NodeImage image) {
    int[] at = new int[FANOUT];
    java.util.Arrays.fill(at, -1);
    for (int i = 0; image != null && i < image.indexes().length; i++) {
      at[image.indexes()[i]] = i;
    }
    return at;
  }

  // The walk through all maps has found unreadable nodes already.
  private @Nullable NodeImage read(NodeAddress node) {
    if (node.address() == BlockAddress.NONE) {
      return null;
    }
    for (long offset :
        new long[] {segments.offsetOf(node.address()), segments.twinOffsetOf(node.address())}) {
      try {
        if (offset >= 0 && segments.refusal(node.address(), true) == null) {
          return NodeImage.decode(
              reader.read(offset, BlockAddress.blocks(node.address()) * PoolLayout.BLOCK),
              reader.pool(),
              node.address(),
              node.crc());
        }
      } catch (FormatException | DeviceException e) {
        continue;
      }
    }
    unreadable = true;
    return null;
  }

  private void damage(String sentence) {
    findings.damage(Structure.COUNT, where, sentence);
  }
}
