package io.coppice.engine.recovery;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.log.LogReplay;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.CatalogChanges;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The second application of the log's records.
///
/// If the records of one command were cut, they are applied with the last of them. A command
/// without its last record at the end of the log was never acknowledged.
final class RecordReplay {

  private final BlockChanges blocks;
  private final CatalogChanges catalog;
  private final PoolState state;
  private final MapEditor.Entries collected =
      new MapEditor.Entries() {
        @Override
        public long address(int i) {
          return addresses.get(i);
        }

        @Override
        public int crc(int i) {
          return crcs.get(i);
        }
      };
  private final List<Long> addresses = new ArrayList<>();
  private final List<Integer> crcs = new ArrayList<>();
  private final ByteArrayOutputStream change = new ByteArrayOutputStream();
  private long first;

  RecordReplay(PoolState state) {
    this.state = state;
    blocks = new BlockChanges(state);
    catalog = new CatalogChanges(state, _ -> {});
  }

  void batch(LogReplay.Content content) {
    for (LogRecord record : content.records()) {
      switch (record) {
        case LogRecord.Write write -> write(content, write);
        case LogRecord.Fill fill -> {
          requireRange(fill.firstBlock(), fill.blocks(), BlockChanges.MAX_SLICE);
          VolumeState volume = state.find(fill.volume());
          if (volume != null) {
            long address = content.addressOf(fill.payloadBlock());
            blocks.fill(volume, fill.firstBlock(), fill.blocks(), address, fill.crc());
          }
        }
        case LogRecord.Unmap unmap -> {
          requireRange(unmap.firstBlock(), unmap.blocks(), Geometry.BLOCKS);
          VolumeState volume = state.find(unmap.volume());
          if (volume != null) {
            blocks.unmap(volume, unmap.firstBlock(), unmap.blocks());
          }
        }
        case LogRecord.Copy copy -> {
          requireRange(copy.firstBlock(), copy.blocks(), BlockChanges.MAX_SLICE);
          requireRange(copy.sourceBlock(), copy.blocks(), BlockChanges.MAX_SLICE);
          VolumeState volume = state.find(copy.volume());
          VolumeState source = state.find(copy.source());
          if (volume != null && source != null) {
            blocks.copy(volume, copy.firstBlock(), source, copy.sourceBlock(), copy.blocks());
          }
        }
        case LogRecord.Relocate relocate -> {
          state.pages().bringIn(relocate.segment());
          for (int i = 0; i < relocate.blocks().length; i++) {
            long place =
                content.placeOf(relocate.payloadBlock() + i, state.segments().blocksPerZone());
            state.segments().move(relocate.segment(), relocate.blocks()[i], place);
          }
        }
        case LogRecord.Moved moved -> moved(moved);
        case LogRecord.ChangePiece piece -> {
          if ((piece.flags() & LogRecord.CONTINUES) == 0) {
            change.reset();
          }
          change.writeBytes(piece.bytes());
          if ((piece.flags() & LogRecord.MORE) == 0) {
            Change whole = Change.decode(change.toByteArray());
            change.reset();
            catalog.apply(whole, content.header().timeMillis());
          }
        }
      }
    }
  }

  private void moved(LogRecord.Moved moved) {
    Segments segments = state.segments();
    int perZone = segments.blocksPerZone();
    int count = moved.blocks().length;
    if (moved.first() < 0 || count > perZone || moved.first() > perZone - count) {
      throw new FormatException(
          "expected moved blocks inside a zone of %d, found %d from %d on"
              .formatted(perZone, count, moved.first()));
    }
    useOwner(moved.owner(), moved.zone());
    state.pages().bringIn(moved.segment());
    long place = (long) moved.zone() * perZone + moved.first();
    for (int i = 0; i < count; i++) {
      segments.move(moved.segment(), moved.blocks()[i], place + i);
    }
  }

  /// The zone of survivors is one of the checkpoint's, or was free then. Nothing more goes into it.
  private void useOwner(int id, int zone) {
    Segments segments = state.segments();
    Segment known = segments.find(id);
    if (known == null
        && id >= 0
        && id <= BlockAddress.MAX_SEGMENT
        && zone >= 0
        && zone < segments.zones()
        && segments.inZone(zone) == null) {
      segments.claim(zone);
      segments.add(id, Segment.Kind.LOG, zone);
      segments.seal(id);
    } else if (known == null || known.zone() != zone || known.kind() != Segment.Kind.LOG) {
      throw new FormatException(
          "expected a zone of its own for segment %d of survivors, found zone %d"
              .formatted(id, zone));
    }
  }

  private static void requireRange(long first, long blocks, long most) {
    if (first < 0 || blocks < 1 || blocks > most || first > Geometry.BLOCKS - blocks) {
      throw new FormatException(
          "expected a record of up to %d blocks of a volume, found %d from %d on"
              .formatted(most, blocks, first));
    }
  }

  private void write(LogReplay.Content content, LogRecord.Write write) {
    requireRange(write.firstBlock(), write.crcs().length, Geometry.BLOCKS);
    if ((write.flags() & LogRecord.CONTINUES) == 0) {
      addresses.clear();
      crcs.clear();
      first = write.firstBlock();
    }
    for (int i = 0; i < write.crcs().length; i++) {
      addresses.add(content.addressOf(write.payloadBlock() + i));
      crcs.add(write.crcs()[i]);
    }
    if ((write.flags() & LogRecord.MORE) != 0) {
      return;
    }
    @Nullable VolumeState volume = state.find(write.volume());
    if (volume != null) {
      blocks.write(volume, first, addresses.size(), collected, false);
    }
  }
}
