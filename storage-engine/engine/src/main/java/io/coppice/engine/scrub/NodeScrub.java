package io.coppice.engine.scrub;

import io.coppice.engine.checkpoint.NodeVerifier;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.segment.SecondZones;
import io.coppice.engine.state.MetadataReads;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SuspectBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// The check of all copies of the map nodes in a zone, two on each device. A damaged copy is
/// written anew from another. One thread.
///
/// As anywhere in a pass, a mismatch is a suspicion until the node is known to live still. That is
/// found out, and the copy written, inside one epoch, so that the zones keep their content.
public final class NodeScrub {

  private final ScrubView facts;
  private final PoolState state;
  private final BlockDevice device;
  private final UUID pool;
  private final NodeVerifier verifier;
  private final ZoneWindow window;
  private final ByteBuffer buffer =
      AlignedBuffers.allocate(NodeVerifier.MAX_BLOCKS * PoolLayout.BLOCK);

  /// @param window that `verifier` looks through
  public NodeScrub(
      ScrubView facts,
      PoolState state,
      BlockDevice device,
      UUID pool,
      NodeVerifier verifier,
      ZoneWindow window) {
    this.facts = facts;
    this.state = state;
    this.device = device;
    this.pool = pool;
    this.verifier = verifier;
    this.window = window;
  }

  /// The result for a zone.
  ///
  /// @param bytes that are as they should be, in all copies
  /// @param damages descriptions of the damage that cannot be mended
  record Result(long bytes, List<String> damages) {}

  /// The location of a copy of the nodes of a zone.
  ///
  /// @param which for people
  private record Place(String which, BlockDevice.Copy copy, int zone) {}

  public Result zone(ScrubView.Zone zone) {
    List<SuspectBlock> stored = stored(zone);
    List<Place> places = places(zone.zone());
    List<TreeMap<Integer, NodeVerifier.Intact>> found = new ArrayList<>();
    TreeSet<Integer> all = new TreeSet<>();
    for (Place place : places) {
      window.from(place.copy.device());
      found.add(verifier.nodes(place.zone, state.segments().blocksPerZone(), stored));
      all.addAll(found.getLast().keySet());
    }
    List<String> damages = new ArrayList<>();
    all.forEach(at -> compare(zone.zone(), at, places, found, damages));
    damages.addAll(lost(zone.zone(), stored, found));
    return new Result(
        PoolLayout.BLOCK * found.stream().mapToLong(NodeScrub::blocks).sum(), damages);
  }

  private List<Place> places(int zone) {
    int twin = state.segments().twins().of(zone);
    List<Place> places = new ArrayList<>();
    for (BlockDevice.Copy copy : device.copies()) {
      places.add(new Place("the first copy of ", copy, zone));
      if (twin != SecondZones.NONE) {
        places.add(new Place("the second copy of ", copy, twin));
      }
    }
    return places;
  }

  /// Compares the copies of the node that at least one place has at a block.
  private void compare(
      int zone,
      int at,
      List<Place> places,
      List<TreeMap<Integer, NodeVerifier.Intact>> found,
      List<String> damages) {
    int first = 0;
    while (found.get(first).get(at) == null) {
      first++;
    }
    NodeVerifier.Intact intact = Objects.requireNonNull(found.get(first).get(at));
    boolean differs = false;
    for (int i = 0; i < places.size(); i++) {
      NodeVerifier.Intact other = found.get(i).get(at);
      if (other == null) {
        mend(zone, intact, places.get(first), places.get(i));
      } else {
        differs |= other.crc() != intact.crc();
      }
    }
    if (differs && lives(intact, zone)) {
      damages.add("one copy of " + name(intact) + ": they differ");
    }
  }

  private static long blocks(TreeMap<Integer, NodeVerifier.Intact> nodes) {
    return nodes.values().stream().mapToLong(NodeVerifier.Intact::blocks).sum();
  }

  /// The blocks of nodes that live in a zone, in the order in which they lie.
  public List<SuspectBlock> stored(ScrubView.Zone zone) {
    long place = (long) zone.zone() * state.segments().blocksPerZone();
    List<SuspectBlock> stored = new ArrayList<>();
    zone.living().stream()
        .forEach(block -> stored.add(new SuspectBlock(zone.segment(), block, place + block)));
    if (zone.guests() > 0) {
      stored.addAll(facts.nodeGuests(zone.zone(), zone.segment()));
      stored.sort(Comparator.comparingLong(SuspectBlock::place));
    }
    return stored;
  }

  private static String name(NodeVerifier.Intact node) {
    return "the map node at "
        + BlockAddress.describe(BlockAddress.of(node.segment(), node.block(), node.blocks()));
  }

  /// Whether a node is still where it was seen.
  private boolean lives(NodeVerifier.Intact node, int zone) {
    long place = (long) zone * state.segments().blocksPerZone() + node.at();
    List<SuspectBlock> blocks = new ArrayList<>();
    for (int i = 0; i < node.blocks(); i++) {
      blocks.add(new SuspectBlock(node.segment(), node.block() + i, place + i));
    }
    return facts.living(blocks).size() == node.blocks();
  }

  /// Writes a copy anew, if the node still lives and that copy still is damaged.
  private void mend(int zone, NodeVerifier.Intact node, Place from, Place to) {
    int ticket = state.epochs().enter();
    try {
      if (lives(node, zone) && !reads(node, to) && reads(node, from)) {
        state
            .metaReads()
            .mend(
                new MetadataReads.Place(
                    to.which + name(node) + to.copy.name(), to.copy, offsetOf(node, to.zone)),
                buffer);
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  private long offsetOf(NodeVerifier.Intact node, int zone) {
    return PoolLayout.zoneOffset(zone, state.segments().zoneSize())
        + (long) node.at() * PoolLayout.BLOCK;
  }

  /// Reads a copy of a node into the buffer.
  ///
  /// @return whether it is that node
  private boolean reads(NodeVerifier.Intact node, Place place) {
    try {
      place
          .copy
          .device()
          .read(offsetOf(node, place.zone), buffer.clear().limit(node.blocks() * PoolLayout.BLOCK));
    } catch (DeviceException e) {
      return false;
    }
    buffer.flip();
    return NodeVerifier.isNode(buffer, pool, node.segment(), node.block(), node.blocks())
        && StructureHeader.crcOf(buffer) == node.crc();
  }

  /// The living nodes that are readable in no copy.
  private List<String> lost(
      int zone, List<SuspectBlock> stored, List<TreeMap<Integer, NodeVerifier.Intact>> found) {
    int blocksPerZone = state.segments().blocksPerZone();
    List<SuspectBlock> missing =
        stored.stream()
            .filter(
                block -> {
                  int at = (int) (block.place() % blocksPerZone);
                  return found.stream().noneMatch(nodes -> covers(nodes, at));
                })
            .toList();
    List<String> damages = new ArrayList<>();
    List<SuspectBlock> lost = missing.isEmpty() ? missing : facts.living(missing);
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
