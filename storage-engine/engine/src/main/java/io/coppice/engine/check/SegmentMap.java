package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PlacementBits;
import io.coppice.engine.format.table.MovedRow;
import io.coppice.engine.format.table.PlacementRun;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.StateTables;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The zones of each segment, the places of its moved blocks, and its blocks that something names.
/// No zone occurs twice, no block has two purposes, and each block has as many placements as are
/// counted.
final class SegmentMap {

  /// In place of a zone, for a segment whose living blocks have all moved.
  private static final int NO_ZONE = -1;

  private final PoolReader reader;
  private final Findings findings;
  private final Map<Integer, Entry> segments = new HashMap<>();
  private final Map<Integer, Integer> byZone = new HashMap<>();
  private final Map<Integer, Integer> twins = new HashMap<>(); // zone, second zone
  private final Map<Integer, Integer> twinned = new HashMap<>(); // second zone, segment
  private final CountMap counts = new CountMap();
  private final Map<Long, Long> moved = new HashMap<>(); // address, place
  private final Set<Long> places = new HashSet<>();
  private final Set<Integer> owners = new HashSet<>();
  private long liveBlocks;
  private long placements;

  private static final class Entry {
    final SegmentRow row;
    final BitSet used = new BitSet();
    final BitSet chunks = new BitSet();
    int residents;

    Entry(SegmentRow row) {
      this.row = row;
    }
  }

  SegmentMap(PoolReader reader, Findings findings) {
    this.reader = reader;
    this.findings = findings;
  }

  /// Takes the segment table, the counts, and the places of the tables' own chunks.
  ///
  /// @param twice whether metadata has second copies
  void load(
      Tables tables, List<CheckpointCheck.Placed> chunks, FindingLocation where, boolean twice) {
    StateTables state = tables.state();
    for (SegmentRow row : state.segments()) {
      loadSegment(row, state.counters().nextSegment(), where);
    }
    for (SegmentRow row : state.segments()) {
      loadTwin(row, where, twice);
    }
    for (CheckpointCheck.Placed chunk : chunks) {
      placeChunk(chunk);
    }
    for (MovedRow row : tables.moved()) {
      row.forEach((block, place) -> loadMoved(row.segment(), block, place, where));
    }
    for (PlacementRun run : state.placements().runs()) {
      loadCounts(run, where);
    }
    tables.placements().forEach((segment, groups) -> loadCounts(segment, groups, where));
  }

  private void loadCounts(PlacementRun run, FindingLocation where) {
    int segment = BlockAddress.segment(run.first());
    int block = BlockAddress.block(run.first());
    boolean may =
        BlockAddress.isValid(run.first())
            && segments.containsKey(segment)
            && run.blocks() >= 1
            && run.blocks() <= reader.blocksPerZone() - block
            && run.placements() >= 2;
    for (int i = 0; may && i < run.blocks(); i++) {
      may = counts.expect(segment, block + i, run.placements());
    }
    if (!may) {
      findings.damage(
          Structure.COUNT,
          where,
          "expected one count of 2 or more of blocks that are there, found %d of %d from %s on"
              .formatted(run.placements(), run.blocks(), BlockAddress.describe(run.first())));
    }
  }

  private void loadCounts(int segment, long[] @Nullable [] groups, FindingLocation where) {
    boolean may = segments.containsKey(segment);
    long any = 0;
    for (int block = 0; block < groups.length * PlacementBits.GROUP; block++) {
      long more =
          PlacementBits.get(groups[block / PlacementBits.GROUP], block % PlacementBits.GROUP);
      any |= more;
      if (more > 0 && block < reader.blocksPerZone()) {
        counts.expect(segment, block, more + 1);
      } else {
        may &= more == 0;
      }
    }
    if (!may || any == 0) {
      findings.damage(
          Structure.COUNT,
          where,
          "expected counts of 2 or more of blocks that are there, found others of segment %d"
              .formatted(segment));
    }
  }

  private void loadSegment(SegmentRow row, int nextSegment, FindingLocation where) {
    if (row.id() < 0 || row.id() > BlockAddress.MAX_SEGMENT) {
      findings.damage(
          Structure.SEGMENT, where, "expected a segment id, found %d".formatted(row.id()));
    }
    // Segments that this checkpoint made have higher ids than those that were there at its cut.
    if (row.id() >= nextSegment && !row.meta()) {
      findings.damage(
          Structure.SEGMENT,
          where,
          "expected a segment below %d, found %d".formatted(nextSegment, row.id()));
    }
    if (row.zone() == NO_ZONE && !row.open()) {
      segments.putIfAbsent(row.id(), new Entry(row));
      return;
    }
    if (row.zone() < 0 || row.zone() >= reader.zones()) {
      findings.damage(
          Structure.SEGMENT,
          where,
          "expected segment %d in one of %d zones, found zone %d"
              .formatted(row.id(), reader.zones(), row.zone()));
      return;
    }
    Integer other = byZone.putIfAbsent(row.zone(), row.id());
    if (segments.putIfAbsent(row.id(), new Entry(row)) != null || other != null) {
      findings.damage(
          Structure.SEGMENT,
          new FindingLocation(row.zone(), reader.offsetOf(row.zone(), 0), null, -1),
          "expected segment %d alone in a zone of its own, found another".formatted(row.id()));
    }
  }

  /// Checks that nothing else uses the second zone.
  private void loadTwin(SegmentRow row, FindingLocation where, boolean twice) {
    boolean mayHave = row.meta() && row.zone() >= 0;
    if (row.twin() == SegmentRow.NO_TWIN) {
      if (mayHave && twice) {
        findings.warning(
            Structure.SEGMENT,
            where,
            "expected a second zone of segment %d, found none".formatted(row.id()));
      }
    } else if (!mayHave
        || row.twin() < 0
        || row.twin() >= reader.zones()
        || byZone.containsKey(row.twin())
        || twinned.putIfAbsent(row.twin(), row.id()) != null) {
      findings.damage(
          Structure.SEGMENT,
          where,
          "expected segment %d alone in its second zone, found zone %d"
              .formatted(row.id(), row.twin()));
    } else {
      twins.put(row.zone(), row.twin());
    }
  }

  /// Checks that a moved block lies alone in a segment of the same kind that has a zone.
  void loadMoved(int segment, int block, long place, FindingLocation where) {
    long zone = place / reader.blocksPerZone();
    Integer owner = place < 0 || zone >= reader.zones() ? null : byZone.get((int) zone);
    Entry home = owner == null ? null : segments.get(owner);
    Entry entry = segments.get(segment);
    if (owner == null
        || home == null
        || entry == null
        || home.row.meta() != entry.row.meta()
        || block >= reader.blocksPerZone()
        || !places.add(place)) {
      findings.damage(
          Structure.SEGMENT,
          where,
          "expected block %d of segment %d alone at a place among its like, found place %d"
              .formatted(block, segment, place));
      return;
    }
    owners.add(owner);
    moved.put(BlockAddress.of(segment, block, 1), place);
  }

  private void placeChunk(CheckpointCheck.Placed chunk) {
    int zone = reader.zoneOf(chunk.offset());
    Integer id = byZone.get(zone);
    Entry entry = id == null ? null : segments.get(id);
    Integer twin = twins.get(zone);
    int second = chunk.twin() == 0 ? SegmentRow.NO_TWIN : reader.zoneOf(chunk.twin());
    if (entry == null) { // A zone of chunks only, not in the table yet.
      if (second >= 0 && (byZone.containsKey(second) || twinned.containsKey(second))) {
        damageOfTwin(chunk, second);
      }
      return;
    }
    if (second != (twin == null ? SegmentRow.NO_TWIN : twin)) {
      damageOfTwin(chunk, second);
    }
    int block = (int) ((chunk.offset() - reader.offsetOf(zone, 0)) / 4096);
    entry.chunks.set(block, block + chunk.blocks());
    if (!entry.row.meta() || !take(entry, block, chunk.blocks())) {
      findings.damage(
          Structure.CHECKPOINT,
          reader.where(chunk.offset()),
          "expected blocks that nothing else uses, found segment %d".formatted(entry.row.id()));
    }
  }

  private void damageOfTwin(CheckpointCheck.Placed chunk, int second) {
    findings.damage(
        Structure.CHECKPOINT,
        reader.where(chunk.offset()),
        "expected the second copy in the zone's own second one, found it in zone %d"
            .formatted(second));
  }

  private static boolean take(Entry entry, int block, int blocks) {
    int next = entry.used.nextSetBit(block);
    entry.used.set(block, block + blocks);
    return next < 0 || next >= block + blocks;
  }

  /// Device offset of an address, -1 if it is in no segment.
  long offsetOf(long address) {
    Entry entry = entryOf(address);
    Long place = placeOfMoved(address, 0);
    if (entry == null || (place == null && entry.row.zone() == NO_ZONE)) {
      return -1;
    }
    if (place == null) {
      return reader.offsetOf(entry.row.zone(), BlockAddress.block(address));
    }
    int blocks = reader.blocksPerZone();
    return reader.offsetOf((int) (place / blocks), (int) (place % blocks));
  }

  /// Device offset of the second copy of a node, -1 if there is none.
  long twinOffsetOf(long address) {
    long offset = offsetOf(address);
    Integer twin = offset < 0 ? null : twins.get(reader.zoneOf(offset));
    return twin == null
        ? -1
        : reader.offsetOf(twin, 0) + offset - reader.offsetOf(reader.zoneOf(offset), 0);
  }

  private @Nullable Long placeOfMoved(long address, int block) {
    return BlockAddress.isValid(address)
        ? moved.get(
            BlockAddress.of(BlockAddress.segment(address), BlockAddress.block(address) + block, 1))
        : null;
  }

  /// Whether all blocks of an address are at home, or all moved to places one after the other.
  private boolean isTogether(long address) {
    Long first = placeOfMoved(address, 0);
    for (int i = 1; i < BlockAddress.blocks(address); i++) {
      Long place = placeOfMoved(address, i);
      if (first == null ? place != null : place == null || place != first + i) {
        return false;
      }
    }
    return true;
  }

  FindingLocation where(long address) {
    long offset = offsetOf(address);
    return offset < 0 ? FindingLocation.NOWHERE : reader.where(offset);
  }

  private @Nullable Entry entryOf(long address) {
    Entry entry =
        BlockAddress.isValid(address) ? segments.get(BlockAddress.segment(address)) : null;
    return entry == null
            || BlockAddress.block(address) + BlockAddress.blocks(address) > reader.blocksPerZone()
        ? null
        : entry;
  }

  /// The reason why an address cannot be that of a node or of data, or null.
  @Nullable String refusal(long address, boolean node) {
    if (!BlockAddress.isValid(address)) {
      return "expected an address, found 0x%x".formatted(address);
    }
    Entry entry = entryOf(address);
    if (entry == null) {
      return "expected a segment of the pool, found %s".formatted(BlockAddress.describe(address));
    }
    if (entry.row.meta() != node) {
      return "expected a segment of %s, found %s"
          .formatted(node ? "nodes" : "data", BlockAddress.describe(address));
    }
    if (!isTogether(address)) {
      return "expected the blocks of a node one after the other, found %s in pieces"
          .formatted(BlockAddress.describe(address));
    }
    if (entry.row.zone() == NO_ZONE && placeOfMoved(address, 0) == null) {
      return "expected a block that was moved, found %s".formatted(BlockAddress.describe(address));
    }
    return null;
  }

  /// Notes a node at this address.
  ///
  /// @return false if something else is there, too
  boolean placeNode(long address) {
    Entry entry = entryOf(address);
    if (entry == null) {
      return false;
    }
    if (placeOfMoved(address, 0) == null) {
      for (int i = 0; i < BlockAddress.blocks(address); i++) {
        atHome(
            entry,
            BlockAddress.of(BlockAddress.segment(address), BlockAddress.block(address) + i, 1));
      }
    }
    return take(entry, BlockAddress.block(address), BlockAddress.blocks(address));
  }

  /// Notes that an entry places the block at this address.
  ///
  /// @return false if that is one more than is counted
  boolean place(long address) {
    Entry entry = entryOf(address);
    if (entry == null) {
      return false;
    }
    placements++;
    boolean first = !entry.used.get(BlockAddress.block(address));
    if (first && !moved.containsKey(address)) {
      atHome(entry, address);
    }
    entry.used.set(BlockAddress.block(address));
    liveBlocks += first ? 1 : 0;
    return counts.has(address) ? counts.found(address) : first;
  }

  /// Checks that no moved block lies where this one is.
  private void atHome(Entry entry, long address) {
    long place = (long) entry.row.zone() * reader.blocksPerZone() + BlockAddress.block(address);
    entry.residents++;
    if (places.contains(place)) {
      findings.damage(
          Structure.SEGMENT,
          where(address),
          "expected %s alone at its place, found a moved block there"
              .formatted(BlockAddress.describe(address)));
    }
  }

  /// Whether a block has two placements or more.
  boolean isCounted(long address) {
    return counts.has(address);
  }

  /// Whether some entry places the block at this address.
  boolean isPlaced(long address) {
    Entry entry = entryOf(address);
    return entry != null && entry.used.get(BlockAddress.block(address));
  }

  /// After all maps: the counts must have been reached, and sealed segments of data must hold some.
  void finish() {
    counts.compare(
        (address, expected, found) ->
            findings.damage(
                Structure.COUNT,
                where(address),
                "expected %d placements of %s by the counts, found %d in the maps"
                    .formatted(expected, BlockAddress.describe(address), found)));
    moved.forEach(
        (address, _) -> {
          if (!isPlaced(address)) {
            findings.damage(
                Structure.SEGMENT,
                where(address),
                "expected a moved block that a map names, found %s that none does"
                    .formatted(BlockAddress.describe(address)));
          }
        });
    for (Entry entry : segments.values()) {
      boolean vacant =
          entry.row.zone() == NO_ZONE
              ? entry.used.isEmpty()
              : entry.residents == 0 && !owners.contains(entry.row.id());
      if (!entry.row.meta() && !entry.row.open() && vacant) {
        findings.warning(
            Structure.SEGMENT,
            entry.row.zone() == NO_ZONE
                ? FindingLocation.NOWHERE
                : new FindingLocation(
                    entry.row.zone(), reader.offsetOf(entry.row.zone(), 0), null, -1),
            "expected data in segment %d, found that nothing names its space"
                .formatted(entry.row.id()));
      }
    }
  }

  /// The blocks that the maps name, by segment. Segments without such blocks are left out.
  Map<Integer, BitSet> named() {
    Map<Integer, BitSet> named = new HashMap<>();
    segments.forEach(
        (id, entry) -> {
          BitSet bits = (BitSet) entry.used.clone();
          bits.andNot(entry.chunks);
          if (!bits.isEmpty()) {
            named.put(id, bits);
          }
        });
    return named;
  }

  /// The segment of a zone, -1 if none is known there.
  int segmentIn(int zone) {
    return byZone.getOrDefault(zone, twinned.getOrDefault(zone, -1));
  }

  /// Whether a segment holds nodes and tables, or is not known.
  boolean isMeta(int segment) {
    Entry entry = segments.get(segment);
    return entry == null || entry.row.meta();
  }

  /// The place at which a segment begins.
  FindingLocation whereOf(int segment) {
    int zone = zoneOf(segment);
    return zone < 0
        ? FindingLocation.NOWHERE
        : new FindingLocation(zone, reader.offsetOf(zone, 0), null, -1);
  }

  /// The zone of a segment, -1 if it is not known.
  int zoneOf(int segment) {
    Entry entry = segments.get(segment);
    return entry == null ? -1 : entry.row.zone();
  }

  int size() {
    return segments.size();
  }

  long liveBlocks() {
    return liveBlocks;
  }

  long placements() {
    return placements;
  }

  long counted() {
    return counts.size();
  }
}
