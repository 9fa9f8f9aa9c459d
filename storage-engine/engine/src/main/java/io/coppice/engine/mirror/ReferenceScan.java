package io.coppice.engine.mirror;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.LeafEntries;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.Node;
import io.coppice.engine.scrub.ScrubView;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A search through all maps for the blocks that they name, where nothing else says what is on the
/// device. For the rare case of more damage than a zone itself can describe. One thread.
final class ReferenceScan {

  /// Blocks of a volume that are looked through inside one epoch.
  private static final long STEP = Geometry.FANOUT * 64L;

  private final PoolState state;
  private final ScrubView facts;
  private final Runnable between;
  private final Map<Long, Boolean> reads = new HashMap<>();
  private final Map<Long, Named> blocks = new HashMap<>();
  private final Set<String> lost = new LinkedHashSet<>();

  /// A block of data as a map names it.
  record Named(long address, int crc) {}

  /// @param between called between two steps; may throw
  ReferenceScan(PoolState state, ScrubView facts, Runnable between) {
    this.state = state;
    this.facts = facts;
    this.between = between;
  }

  /// The block of data that a map names at a place; null if none does.
  @Nullable Named at(long place) {
    return blocks.get(place);
  }

  /// Descriptions of the structures that are damaged in every copy on every device.
  Set<String> lost() {
    return lost;
  }

  /// Reads nodes and pages by the checksums of their parents, so that damaged copies are written
  /// anew. Notes which blocks of data lie at those places.
  ///
  /// @param nodes addresses of blocks that one may begin at
  /// @param places numbers among all blocks of all zones
  void look(Set<Long> nodes, LongPredicate places, boolean anyPlace) {
    Set<Version> seen = new HashSet<>();
    for (VolumeState volume : state.volumes()) {
      seen.add(volume.head());
      long end = VolumeState.blocks(volume.info());
      walk(new Walk(volume, nodes, places, anyPlace), () -> volume.head().root(), end);
    }
    for (Version version : facts.versions()) {
      if (seen.add(version)) {
        walk(new Walk(null, nodes, places, anyPlace), version::root, Geometry.BLOCKS);
      }
    }
    pages(nodes);
  }

  private void walk(Walk walk, Supplier<@Nullable Inner> root, long end) {
    for (long block = 0; block < end; ) {
      int ticket = state.epochs().enter();
      try {
        block =
            MapReader.nodes(state.nodes(), root.get(), new MapReader.Span(block, end), STEP, walk);
      } finally {
        state.epochs().leave(ticket);
      }
      between.run();
    }
  }

  /// @param volume null of a version that no volume is
  private final class Walk implements MapReader.Nodes {
    private final @Nullable VolumeState volume;
    private final Set<Long> nodes;
    private final LongPredicate places;
    private final boolean wantsLeaves;

    Walk(@Nullable VolumeState volume, Set<Long> nodes, LongPredicate places, boolean anyPlace) {
      this.volume = volume;
      this.nodes = nodes;
      this.places = places;
      wantsLeaves = anyPlace;
    }

    @Override
    public void node(Node node, int level, long first) {
      long at = node.stored();
      if (at == BlockAddress.NONE || !nodes.contains(begin(at))) {
        return;
      }
      if (!reads.computeIfAbsent(at, _ -> reads(node, at, level, first)) && volume != null) {
        lost.add(
            "the map of LBA %d to %d of volume %s, in every copy of the map node at %s"
                .formatted(
                    8 * first,
                    8 * Math.min(first + Geometry.span(level), VolumeState.blocks(volume.info()))
                        - 1,
                    volume.info().id(),
                    BlockAddress.describe(at)));
      }
    }

    private boolean reads(Node node, long at, int level, long first) {
      try {
        state.storedNodes().read(new NodeAddress(at, node.storedCrc()), level, first);
        return true;
      } catch (StorageException e) {
        return false;
      }
    }

    @Override
    public boolean wantsLeaves() {
      return wantsLeaves;
    }

    @Override
    public void leaf(LeafEntries entries) {
      for (int i = 0; i < Geometry.FANOUT; i++) {
        long address = entries.address(i);
        long place = address == BlockAddress.NONE ? -1 : placeOf(address);
        if (place >= 0 && places.test(place)) {
          blocks.put(place, new Named(address, entries.crc(i)));
        }
      }
    }
  }

  private long placeOf(long address) {
    try {
      long offset = state.pages().offsetOf(address);
      return offset < 0 ? -1 : (offset - PoolLayout.SUPERBLOCK_AREA) / PoolLayout.BLOCK;
    } catch (StorageException | DeviceException e) {
      return -1; // a page that does not read is lost by itself
    }
  }

  private void pages(Set<Long> nodes) {
    List<Pages.Missing> wanted = new ArrayList<>();
    int ticket = state.epochs().enter();
    try {
      for (Pages.Missing page : facts.pages()) {
        if (nodes.contains(begin(page.page().address()))) {
          wanted.add(page);
        }
      }
      for (Pages.Missing page : wanted) {
        try {
          state.pages().load(page);
        } catch (StorageException e) {
          lost.add("the page of segment %d, in every copy".formatted(page.segment()));
        }
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  /// The first block of a node.
  static long begin(long address) {
    return BlockAddress.of(BlockAddress.segment(address), BlockAddress.block(address), 1);
  }
}
