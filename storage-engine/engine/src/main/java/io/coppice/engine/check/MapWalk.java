package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.VersionRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A walk over every node that a root reaches, once, in both copies: its header, place, owner and
/// span, the number of blocks below it, and every entry.
final class MapWalk {

  /// Level of a root.
  static final int ROOT_LEVEL = 3;

  /// Blocks under a root.
  static final long BLOCKS = span(ROOT_LEVEL);

  private static final long UNKNOWN = -1;

  private final PoolReader reader;
  private final Findings findings;
  private final SegmentMap segments;
  private final FamilyCheck lineage;
  private final DataCheck data;
  private final Map<Long, Visit> visits = new HashMap<>();
  private final List<Inheriting> inheriting = new ArrayList<>();
  private final Map<Integer, Long> mappedOf = new HashMap<>();
  private final Map<Integer, Long> ownedBy = new HashMap<>();
  private long nodes;
  private long leaves;

  /// Blocks under a node of a level.
  static long span(int level) {
    return 1L << (9 * (level + 1));
  }

  /// A node that was met.
  ///
  /// @param cursor the part that ends before it was not looked at
  /// @param mapped blocks stored below it, or -1
  /// @param owner as the node says
  private record Visit(int crc, int level, long first, long cursor, long mapped, int owner) {}

  /// A leaf with entries that other leaves place.
  private record Inheriting(long address, int crc, @Nullable UUID volume) {}

  /// A walk through one map.
  ///
  /// @param line versions whose nodes may be in it, null for any
  private record Walk(@Nullable UUID volume, @Nullable Set<Integer> line, long cursor) {}

  MapWalk(
      PoolReader reader,
      Findings findings,
      SegmentMap segments,
      FamilyCheck lineage,
      DataCheck data) {
    this.reader = reader;
    this.findings = findings;
    this.segments = segments;
    this.lineage = lineage;
    this.data = data;
  }

  /// Number of readable nodes.
  long nodes() {
    return nodes;
  }

  long leaves() {
    return leaves;
  }

  /// Blocks stored in the map of a version; null if that is not known.
  @Nullable Long mappedOf(int version) {
    return mappedOf.get(version);
  }

  /// Placements that a version has made, or taken over.
  long ownedBy(int version) {
    return ownedBy.getOrDefault(version, 0L);
  }

  void run(StateTables tables) {
    for (VersionRow row : tables.versions()) {
      Walk walk =
          new Walk(lineage.volumeOf(row.id()), lineage.line(row.id()), lineage.cursorOf(row.id()));
      long mapped = 0;
      if (row.root().address() != BlockAddress.NONE) {
        mapped = walk(row.root().address(), row.root().crc(), ROOT_LEVEL, 0, walk);
      }
      if (mapped != UNKNOWN && walk.cursor == 0) {
        mappedOf.put(row.id(), mapped);
      }
    }
    for (FreeRow row : tables.frees()) {
      if (row.level() <= ROOT_LEVEL && row.node().address() != BlockAddress.NONE) {
        Walk walk = new Walk(null, null, row.cursor());
        walk(row.node().address(), row.node().crc(), row.level(), row.first(), walk);
      }
    }
    inheriting.forEach(this::checkInherited);
  }

  /// @return blocks stored below the node, -1 if that is not known
  private long walk(long address, int crc, int level, long first, Walk walk) {
    Visit before = visits.get(address);
    if (before != null) {
      if (before.crc != crc || before.level != level || before.first != first) {
        damage(address, walk, first, "expected one node at one place of its maps, found two");
      }
      if (before.cursor <= walk.cursor || before.cursor <= first) {
        return before.mapped;
      }
    }
    NodeImage image = read(address, crc, walk, first, before == null);
    if (image == null) {
      visits.put(address, new Visit(crc, level, first, 0, UNKNOWN, 0));
      return UNKNOWN;
    }
    if (before == null) {
      nodes++;
      leaves += level == 0 ? 1 : 0;
      place(address, image, level, first, walk);
    }
    boolean fits = image.level() == level && image.firstBlock() == first;
    long mapped = UNKNOWN;
    if (fits && level > 0) {
      mapped = children(address, image, walk);
    } else if (fits && before == null) {
      mapped = entries(address, crc, image, walk);
    }
    visits.put(
        address,
        new Visit(crc, level, first, Math.min(walk.cursor, BLOCKS), mapped, image.owner()));
    return mapped;
  }

  /// @param both whether the second copy is read even if the first is intact
  private @Nullable NodeImage read(long address, int crc, Walk walk, long first, boolean both) {
    String refusal = segments.refusal(address, true);
    if (refusal != null) {
      damage(address, walk, first, refusal);
      return null;
    }
    List<String> problems = new ArrayList<>();
    NodeImage image = copy(address, crc, segments.offsetOf(address), problems);
    long twin = segments.twinOffsetOf(address);
    if (twin >= 0 && (both || image == null)) {
      NodeImage second = copy(address, crc, twin, problems);
      image = image == null ? second : image;
    }
    for (String problem : problems) {
      if (image == null) {
        damage(address, walk, first, problem);
      } else if (both) {
        findings.warning(
            Structure.NODE, where(address, walk, first), "one of two copies: " + problem);
      }
    }
    return image;
  }

  private @Nullable NodeImage copy(long address, int crc, long offset, List<String> problems) {
    try {
      ByteBuffer bytes = reader.read(offset, BlockAddress.blocks(address) * PoolLayout.BLOCK);
      return NodeImage.decode(bytes, reader.pool(), address, crc);
    } catch (FormatException | DeviceException e) {
      problems.add("%s (read at offset %d)".formatted(e.getMessage(), offset));
      return null;
    }
  }

  private void place(long address, NodeImage image, int level, long first, Walk walk) {
    if (!segments.placeNode(address)) {
      damage(address, walk, first, "expected blocks that nothing else uses, found them in use");
    }
    if (image.level() != level || image.firstBlock() != first) {
      damage(
          address,
          walk,
          first,
          "expected a node of level %d at block %d, found level %d at block %d"
              .formatted(level, first, image.level(), image.firstBlock()));
    }
    int owner = lineage.ownerOf(image.owner(), first + span(level));
    if (owner == 0 || (walk.line != null && !walk.line.contains(owner))) {
      damage(
          address,
          walk,
          first,
          "expected a version of this map or one above it to own the node, found %d"
              .formatted(image.owner()));
    }
  }

  private long children(long address, NodeImage image, Walk walk) {
    long sum = 0;
    long below = span(image.level() - 1);
    for (int i = 0; i < image.indexes().length; i++) {
      long first = image.firstBlock() + image.indexes()[i] * below;
      if (first + below <= walk.cursor) {
        sum = UNKNOWN;
        continue;
      }
      long mapped = walk(image.addresses()[i], image.crcs()[i], image.level() - 1, first, walk);
      checkOwner(image, i, address, first, walk);
      if (mapped != UNKNOWN && mapped != image.third()[i] && walk.cursor <= first) {
        damage(
            address,
            walk,
            first,
            "expected %d blocks below the node, found %d".formatted(image.third()[i], mapped));
      }
      sum = sum == UNKNOWN || mapped == UNKNOWN ? UNKNOWN : sum + mapped;
    }
    return sum;
  }

  /// Checks that a node names the same owners of the nodes below it as they do themselves.
  private void checkOwner(NodeImage image, int entry, long address, long first, Walk walk) {
    Visit below = visits.get(image.addresses()[entry]);
    if (image.owners().length > 0
        && below != null
        && below.owner != 0
        && below.owner != image.owners()[entry]) {
      damage(
          address,
          walk,
          first,
          "expected version %d to own the node below, found %d"
              .formatted(below.owner, image.owners()[entry]));
    }
  }

  private long entries(long leaf, int crc, NodeImage image, Walk walk) {
    int n = image.indexes().length;
    boolean[] own = new boolean[n];
    boolean inherits = false;
    for (int i = 0; i < n; i++) {
      long block = image.firstBlock() + image.indexes()[i];
      int born = lineage.ownerOf(image.third()[i], block + 1);
      int owner = lineage.ownerOf(image.owner(), image.firstBlock() + span(0));
      FindingLocation where = where(leaf, walk, block);
      if (born == 0 || (walk.line != null && !walk.line.contains(born))) {
        findings.damage(
            Structure.NODE,
            where,
            "expected an entry born in a version of this map or one above it, found %d"
                .formatted(image.third()[i]));
      }
      own[i] = born == owner;
      inherits |= !own[i];
      if (own[i]) {
        place(image.addresses()[i], where);
        ownedBy.merge(lineage.resolve(image.third()[i]), 1L, Long::sum);
      }
    }
    if (inherits) {
      inheriting.add(new Inheriting(leaf, crc, walk.volume));
    }
    data.check(image, own, walk.volume);
    return n;
  }

  private void place(long address, FindingLocation where) {
    String refusal = segments.refusal(address, false);
    if (refusal != null) {
      findings.damage(Structure.NODE, where, refusal);
    } else if (!segments.place(address)) {
      findings.damage(
          Structure.COUNT,
          where,
          "expected no further placement of %s, found one"
              .formatted(BlockAddress.describe(address)));
    }
  }

  /// Checks the entries that a leaf does not place itself: another leaf must.
  private void checkInherited(Inheriting leaf) {
    Walk walk = new Walk(leaf.volume, null, 0);
    NodeImage image = read(leaf.address, leaf.crc, walk, 0, false);
    if (image == null) {
      return;
    }
    int n = image.indexes().length;
    boolean[] inherited = new boolean[n];
    for (int i = 0; i < n; i++) {
      long block = image.firstBlock() + image.indexes()[i];
      inherited[i] =
          lineage.ownerOf(image.third()[i], block + 1)
              != lineage.ownerOf(image.owner(), image.firstBlock() + span(0));
      if (inherited[i] && !segments.isPlaced(image.addresses()[i])) {
        inherited[i] = false;
        damage(
            leaf.address,
            walk,
            block,
            "expected a block that a leaf above it places, found %s that none does"
                .formatted(BlockAddress.describe(image.addresses()[i])));
      }
    }
    data.check(image, inherited, leaf.volume);
  }

  private void damage(long node, Walk walk, long block, String sentence) {
    findings.damage(Structure.NODE, where(node, walk, block), sentence);
  }

  private FindingLocation where(long node, Walk walk, long block) {
    FindingLocation place = segments.where(node);
    return new FindingLocation(place.zone(), place.offset(), walk.volume, 8 * block);
  }
}
