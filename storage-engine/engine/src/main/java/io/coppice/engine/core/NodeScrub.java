package io.coppice.engine.core;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.segment.Twins;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// Looks at both copies of the map nodes in a zone: a copy that is damaged is written anew from the
/// other. One thread.
///
/// As anywhere in a pass, what is found is a suspicion until it is known that the node still lives;
/// it is known, and the copy written, inside one epoch, so that the zones hold what they held.
final class NodeScrub {

  private final PoolFacts facts;
  private final PoolState state;
  private final BlockDevice device;
  private final UUID pool;
  private final NodeVerifier verifier;
  private final ByteBuffer buffer =
      AlignedBuffers.allocate(NodeVerifier.MAX_BLOCKS * PoolLayout.BLOCK);

  NodeScrub(
      PoolFacts facts, PoolState state, BlockDevice device, UUID pool, NodeVerifier verifier) {
    this.facts = facts;
    this.state = state;
    this.device = device;
    this.pool = pool;
    this.verifier = verifier;
  }

  /// What a zone came to.
  ///
  /// @param bytes that are as they should be, in both copies
  /// @param damages what is not and cannot be mended, in words
  record Result(long bytes, List<String> damages) {}

  Result zone(PoolFacts.Zone zone) {
    List<PoolFacts.Suspect> stored = stored(zone);
    int blocksPerZone = state.segments().blocksPerZone();
    int twin = state.segments().twins().of(zone.zone());
    TreeMap<Integer, NodeVerifier.Intact> first =
        verifier.nodes(zone.zone(), blocksPerZone, stored);
    TreeMap<Integer, NodeVerifier.Intact> second =
        twin == Twins.NONE ? first : verifier.nodes(twin, blocksPerZone, stored);
    List<String> damages = new ArrayList<>();
    TreeSet<Integer> all = new TreeSet<>(first.keySet());
    all.addAll(second.keySet());
    for (int at : all) {
      NodeVerifier.Intact a = first.get(at);
      NodeVerifier.Intact b = second.get(at);
      if (a == null && b != null) {
        mend("the first copy of ", b, twin, zone.zone());
      } else if (b == null && a != null) {
        mend("the second copy of ", a, zone.zone(), twin);
      } else if (a != null && b != null && a.crc() != b.crc() && lives(a, zone.zone())) {
        damages.add("one copy of " + name(a) + ": the two differ");
      }
    }
    damages.addAll(lost(zone.zone(), stored, first, second));
    return new Result(PoolLayout.BLOCK * (blocks(first) + blocks(second)), damages);
  }

  private static long blocks(TreeMap<Integer, NodeVerifier.Intact> nodes) {
    return nodes.values().stream().mapToLong(NodeVerifier.Intact::blocks).sum();
  }

  /// The blocks of nodes that live in a zone, in the order in which they lie.
  private List<PoolFacts.Suspect> stored(PoolFacts.Zone zone) {
    long place = (long) zone.zone() * state.segments().blocksPerZone();
    List<PoolFacts.Suspect> stored = new ArrayList<>();
    zone.living().stream()
        .forEach(block -> stored.add(new PoolFacts.Suspect(zone.segment(), block, place + block)));
    if (zone.guests() > 0) {
      stored.addAll(facts.nodeGuests(zone.zone(), zone.segment()));
      stored.sort(Comparator.comparingLong(PoolFacts.Suspect::place));
    }
    return stored;
  }

  private static String name(NodeVerifier.Intact node) {
    return "the map node at "
        + BlockAddress.describe(BlockAddress.of(node.segment(), node.block(), node.blocks()));
  }

  /// Whether a node still is where it was seen.
  private boolean lives(NodeVerifier.Intact node, int zone) {
    long place = (long) zone * state.segments().blocksPerZone() + node.at();
    List<PoolFacts.Suspect> blocks = new ArrayList<>();
    for (int i = 0; i < node.blocks(); i++) {
      blocks.add(new PoolFacts.Suspect(node.segment(), node.block() + i, place + i));
    }
    return facts.living(blocks).size() == node.blocks();
  }

  /// Writes a copy anew, if the node still lives and that copy still is damaged.
  private void mend(String which, NodeVerifier.Intact node, int from, int to) {
    int ticket = state.epochs().enter();
    try {
      int zone = state.segments().twins().of(from) == to ? from : to;
      if (lives(node, zone) && !reads(node, to) && reads(node, from)) {
        state.metaReads().mend(which + name(node), offsetOf(node, to), buffer);
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  private long offsetOf(NodeVerifier.Intact node, int zone) {
    return PoolLayout.zoneOffset(zone, state.segments().zoneSize())
        + (long) node.at() * PoolLayout.BLOCK;
  }

  /// Reads a node from a zone into the buffer.
  ///
  /// @return whether it is that node
  private boolean reads(NodeVerifier.Intact node, int zone) {
    try {
      device.read(offsetOf(node, zone), buffer.clear().limit(node.blocks() * PoolLayout.BLOCK));
    } catch (DeviceException e) {
      return false;
    }
    buffer.flip();
    return NodeVerifier.isNode(buffer, pool, node.segment(), node.block(), node.blocks())
        && StructureHeader.crcOf(buffer) == node.crc();
  }

  /// What lives and reads in neither copy.
  private List<String> lost(
      int zone,
      List<PoolFacts.Suspect> stored,
      TreeMap<Integer, NodeVerifier.Intact> first,
      TreeMap<Integer, NodeVerifier.Intact> second) {
    int blocksPerZone = state.segments().blocksPerZone();
    List<PoolFacts.Suspect> missing =
        stored.stream()
            .filter(
                block -> {
                  int at = (int) (block.place() % blocksPerZone);
                  return !covers(first, at) && !covers(second, at);
                })
            .toList();
    List<String> damages = new ArrayList<>();
    List<PoolFacts.Suspect> lost = missing.isEmpty() ? missing : facts.living(missing);
    for (int i = 0; i < lost.size(); ) {
      int run = 1;
      while (i + run < lost.size()
          && lost.get(i + run).place() == lost.get(i).place() + run
          && lost.get(i + run).segment() == lost.get(i).segment()) {
        run++;
      }
      long from = lost.get(i).place() % blocksPerZone;
      damages.add(
          "a map node in blocks %d to %d of zone %d (segment %d)"
              .formatted(from, from + run - 1, zone, lost.get(i).segment()));
      i += run;
    }
    return damages;
  }

  private static boolean covers(TreeMap<Integer, NodeVerifier.Intact> nodes, int at) {
    Map.Entry<Integer, NodeVerifier.Intact> before = nodes.floorEntry(at);
    return before != null && at < before.getKey() + before.getValue().blocks();
  }
}
