package io.coppice.engine.mirror;

import io.coppice.engine.checkpoint.NodeVerifier;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.device.mirror.ResilverPiece;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.log.ZoneIndex;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.scrub.NodeScrub;
import io.coppice.engine.scrub.ScrubFindings;
import io.coppice.engine.scrub.ScrubView;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SuspectBlock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The copy of the zones in use from the device that holds everything to the one that is being
/// filled. It also copies back what only that one still has. One thread.
///
/// The content of a block is proved by its name. In a zone of data the batches name it or, behind a
/// header that is unreadable on both devices, the maps. In a zone of nodes the nodes name
/// themselves or, if neither copy is readable, the map above does. A block that matches its name
/// goes to the other device; one that does not never does. So a block that either device could give
/// is on both afterwards, and blocks that are on neither are known ([#lost], [#damages]).
///
/// A zone is looked at, and each piece of it copied, inside an epoch and while it holds the same
/// segment. So its blocks' names are about these blocks, not about earlier ones.
public final class ZoneResilver {

  private static final Logger LOGGER = System.getLogger(ZoneResilver.class.getName());

  /// Bytes copied at a time.
  private static final int PIECE = 256 << 10;

  private final Parts parts;
  private final Mirror mirror;
  private final int member;
  private final Pace pace;
  private final int blocksPerZone;
  private final ZoneWindow window;
  private final ZoneIndex index;
  private final NodeVerifier verifier;
  private final NodeScrub nodes;
  private final ReferenceScan names;
  private final ResilverPiece piece = new ResilverPiece(PIECE);
  private final Checksum checksum = new Checksum();

  private final TreeSet<Integer> again = new TreeSet<>();
  private final Map<Integer, Integer> cutShortAt = new HashMap<>();
  private final Set<Long> suspectNodes = new HashSet<>();
  private final Set<Long> lost = new HashSet<>();
  private boolean second;

  /// The parts of the pool that a fill needs.
  ///
  /// @param checkpoint tries to make one and waits for its end
  public record Parts(
      ScrubView facts,
      PoolState state,
      BlockDevice device,
      UUID pool,
      ScrubFindings findings,
      Runnable checkpoint) {

    /// Looks again, as hosts see it now, at the blocks that the fill could not get.
    UnreadableBlocks unreadable() {
      return new UnreadableBlocks(device, state, findings);
    }
  }

  /// The pace of a fill: it is told of the progress, and may throw to end it.
  interface Pace {
    void zone(int number);

    /// @param nanos that a piece has taken the devices for
    void took(long nanos);
  }

  ZoneResilver(Parts parts, Mirror mirror, int member, Pace pace) {
    this.parts = parts;
    this.mirror = mirror;
    this.member = member;
    this.pace = pace;
    PoolState state = parts.state;
    int zoneSize = state.segments().zoneSize();
    blocksPerZone = state.segments().blocksPerZone();
    ZoneWindow.Pace told = (_, nanos) -> pace.took(nanos);
    window = new ZoneWindow(parts.device, zoneSize, told);
    index =
        new ZoneIndex(parts.pool, zoneSize, window, new ZoneWindow(parts.device, zoneSize, told));
    verifier = new NodeVerifier(parts.pool, window);
    nodes = new NodeScrub(parts.facts, state, parts.device, parts.pool, verifier, window);
    names = new ReferenceScan(state, parts.facts, () -> pace.took(0));
  }

  /// Addresses of blocks of data that no device has; some of them may live no more.
  Set<Long> lost() {
    return lost;
  }

  /// Descriptions of other data that no device has.
  Set<String> damages() {
    return names.lost();
  }

  /// @throws DeviceException if a device was left out
  void run() {
    if (!verifyHead()) {
      parts.checkpoint.run();
    }
    int zones = parts.state.segments().zones();
    for (int zone = 0; zone < zones; zone++) {
      pace.zone(zone);
      copy(zone);
    }
    if (!again.isEmpty()) {
      names.look(suspectNodes, this::isBehindDamage, !cutShortAt.isEmpty());
      second = true;
      List.copyOf(again).forEach(this::copy);
    }
  }

  private boolean isBehindDamage(long place) {
    Integer end = cutShortAt.get((int) (place / blocksPerZone));
    return end != null && place % blocksPerZone >= end;
  }

  // ---- zones

  private void copy(int zone) {
    while (!parts.state.segments().isFree(zone)) {
      ScrubView.Held held = parts.facts.held(zone);
      ZoneChecksums sums = sums(zone, held);
      if (sums == null || copy(zone, held, sums)) {
        return;
      }
    }
  }

  /// The checksums that its blocks must have; null if the maps must be asked first.
  private @Nullable ZoneChecksums sums(int zone, ScrubView.Held held) {
    Segment.Kind kind = held.kind();
    return switch (kind) {
      case null -> new ZoneChecksums(blocksPerZone);
      case LOG -> data(zone, held);
      case META -> nodes(zone, held);
    };
  }

  /// @return false if the zone holds something else by now
  private boolean copy(int zone, ScrubView.Held held, ZoneChecksums sums) {
    long start = PoolLayout.zoneOffset(zone, parts.state.segments().zoneSize());
    for (int at = 0; at < blocksPerZone; at += PIECE / PoolLayout.BLOCK) {
      long began = System.nanoTime();
      int ticket = parts.state.epochs().enter();
      try {
        if (!parts.facts.held(zone).isSame(held)) {
          return false;
        }
        mirror.copy(start + (long) at * PoolLayout.BLOCK, member, piece, sums.from(at));
      } finally {
        parts.state.epochs().leave(ticket);
      }
      note(at, sums);
      pace.took(System.nanoTime() - began);
    }
    return true;
  }

  private void note(int at, ZoneChecksums sums) {
    piece.lost().stream()
        .mapToLong(i -> sums.address(at + i))
        .filter(address -> address != BlockAddress.NONE)
        .forEach(lost::add);
  }

  private @Nullable ZoneChecksums data(int zone, ScrubView.Held held) {
    ZoneChecksums sums = new ZoneChecksums(blocksPerZone);
    List<SuspectBlock> guests = new ArrayList<>();
    List<BlockDevice.Copy> reserves = parts.device.reserves();
    ZoneIndex.Told told =
        (block, crc, address) -> {
          sums.name(block, crc, address);
          if (address != BlockAddress.NONE && BlockAddress.segment(address) != held.segment()) {
            guests.add(suspect(address, zone, block));
          }
        };
    index.from(whole(), reserves.isEmpty() ? null : reserves.getFirst().device());
    int end = index.zone(zone, held.segment(), held.limit(), told);
    if (end >= held.limit() || !livesBehind(zone, held, end, guests)) {
      return sums;
    }
    if (!second) {
      cutShortAt.put(zone, end);
      again.add(zone);
      return null;
    }
    nameByMaps(zone, end, sums);
    return sums;
  }

  private SuspectBlock suspect(long address, int zone, int block) {
    return new SuspectBlock(
        BlockAddress.segment(address),
        BlockAddress.block(address),
        (long) zone * blocksPerZone + block);
  }

  private boolean livesBehind(int zone, ScrubView.Held held, int end, List<SuspectBlock> guests) {
    return parts.facts.livingAtHome(zone, held.segment()).nextSetBit(end) >= 0
        || parts.facts.guestsUntold(zone, held.segment(), guests) > 0;
  }

  private void nameByMaps(int zone, int end, ZoneChecksums sums) {
    for (int block = end; block < blocksPerZone; block++) {
      ReferenceScan.Named named = names.at((long) zone * blocksPerZone + block);
      if (named != null) {
        sums.name(block, named.crc(), named.address());
      }
    }
  }

  /// First writes a node that is damaged in one of its two zones anew from the other one.
  private ZoneChecksums nodes(int zone, ScrubView.Held held) {
    ZoneChecksums sums = new ZoneChecksums(blocksPerZone);
    ScrubView.Zone look = parts.facts.zone(held.zone()).orElse(null);
    if (look == null) {
      return sums; // tables only
    }
    nodes.zone(look);
    List<SuspectBlock> stored = nodes.stored(look);
    BlockDevice from = whole();
    window.from(from);
    TreeMap<Integer, NodeVerifier.Intact> intact = verifier.nodes(zone, blocksPerZone, stored);
    intact.values().forEach(node -> name(zone, from, node, sums));
    for (SuspectBlock block : stored) {
      int at = (int) (block.place() % blocksPerZone);
      if (!sums.isNamed(at)) {
        sums.keep(at);
        suspectNodes.add(BlockAddress.of(block.segment(), block.block(), 1));
        again.add(zone);
      }
    }
    return sums;
  }

  private void name(int zone, BlockDevice from, NodeVerifier.Intact node, ZoneChecksums sums) {
    long offset =
        PoolLayout.zoneOffset(zone, parts.state.segments().zoneSize())
            + (long) node.at() * PoolLayout.BLOCK;
    ByteBuffer bytes = AlignedBuffers.allocate(node.blocks() * PoolLayout.BLOCK);
    try {
      from.read(offset, bytes);
    } catch (DeviceException e) {
      return;
    }
    bytes.flip();
    if (NodeVerifier.isNode(bytes, parts.pool, node.segment(), node.block(), node.blocks())) {
      for (int i = 0; i < node.blocks(); i++) {
        int crc = checksum.of(bytes, i * PoolLayout.BLOCK, PoolLayout.BLOCK);
        sums.name(node.at() + i, crc, BlockAddress.NONE);
      }
    }
  }

  private BlockDevice whole() {
    return parts.device.copies().getFirst().device();
  }

  // ---- tables

  /// Compares every copy of the tables of the checkpoint that counts with what the superblock says.
  /// If no copy of a piece is right, another checkpoint is made.
  private boolean verifyHead() {
    int ticket = parts.state.epochs().enter();
    try {
      Superblock superblock = parts.facts.head().superblock();
      Superblock.Root at = superblock.root();
      int number = Integer.MAX_VALUE;
      while (number > 0) {
        ByteBuffer bytes = chunk(superblock, at);
        number = Math.min(number - 1, Chunk.number(bytes));
        at = Chunk.before(bytes, superblock.features());
      }
    } catch (FormatException | DeviceException e) {
      LOGGER.log(Level.WARNING, "The checkpoint''s tables do not read: {0}", e.getMessage());
      return false;
    } finally {
      parts.state.epochs().leave(ticket);
    }
    return true;
  }

  private ByteBuffer chunk(Superblock superblock, Superblock.Root at) {
    return parts
        .state
        .metaReads()
        .readAll(
            "a piece of the checkpoint's tables at offset " + at.offset(),
            at.offset(),
            at.twin(),
            AlignedBuffers.allocate(PoolLayout.blocksFor(at.length()) * PoolLayout.BLOCK),
            bytes -> {
              Chunk.check(bytes, superblock.pool(), superblock.features(), at);
              return bytes;
            });
  }
}
