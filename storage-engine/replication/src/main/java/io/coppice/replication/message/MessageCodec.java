package io.coppice.replication.message;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import io.coppice.replication.Place;
import io.coppice.replication.PoolName;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The form of messages as bytes: a kind (1 byte), then the fields of the record in order.
///
/// Numbers are big-endian; an id takes 16 bytes, a text its length (4) and UTF-8, a list its count
/// (4) and its elements, what may be absent a flag before it, a moment its milliseconds since 1970.
/// The data of [LinkMessage.Blocks] stands at the end as it is, or compressed with Zstandard where
/// that makes it shorter: a flag says which, and its length before compression (4) stands before
/// it.
public final class MessageCodec {

  private static final int BLOCK = 4096;

  /// The fastest level: links are slower than it, and higher levels cost more than they give.
  private static final int LEVEL = 1;

  private final boolean compresses;

  /// @param compresses whether to compress data that is sent; what comes may be compressed or not
  public MessageCodec(boolean compresses) {
    this.compresses = compresses;
  }

  // ---- to bytes

  public ByteBuffer encode(LinkMessage message) {
    Wire.Sink out = new Wire.Sink().u8(kind(message));
    switch (message) {
      case LinkMessage.Hello(var lowest, var highest, var pool) ->
          put(pool, out.u32(lowest).u32(highest));
      case LinkMessage.Welcome(var version, var pool) -> put(pool, out.u32(version));
      case LinkMessage.AskReplicas(var group) -> out.uuid(group);
      case LinkMessage.Replicas(var replicas, var begun) -> {
        out.list(replicas, MessageCodec::put).u8(begun == null ? 0 : 1);
        if (begun != null) {
          out.uuid(begun);
        }
      }
      case LinkMessage.AskKnown(var snapshots) -> out.list(snapshots, MessageCodec::put);
      case LinkMessage.Known(var snapshots) -> out.list(snapshots, MessageCodec::put);
      case LinkMessage.Begin(var cycle) -> put(cycle, out);
      case LinkMessage.Begun(var place) -> put(place, out);
      case LinkMessage.Blocks blocks -> put(blocks, out);
      case LinkMessage.Holes(var member, var ranges) ->
          out.u32(member).list(ranges, (range, to) -> to.u64(range.offset()).u64(range.length()));
      case LinkMessage.Progress(var place) -> put(place, out);
      case LinkMessage.Commit(var cycle) -> out.uuid(cycle);
      case LinkMessage.Committed(var cycle) -> out.uuid(cycle);
      case LinkMessage.Failed(var reason, var sentence) -> out.u8(reason.ordinal()).text(sentence);
      case LinkMessage.Idle() -> {}
      case LinkMessage.Call(var subject, var text) -> out.text(subject).text(text);
      case LinkMessage.Reply(var text) -> out.text(text);
    }
    return out.done();
  }

  private static int kind(LinkMessage message) {
    return switch (message) {
      case LinkMessage.Hello _ -> 1;
      case LinkMessage.Welcome _ -> 2;
      case LinkMessage.AskReplicas _ -> 3;
      case LinkMessage.Replicas _ -> 4;
      case LinkMessage.AskKnown _ -> 5;
      case LinkMessage.Known _ -> 6;
      case LinkMessage.Begin _ -> 7;
      case LinkMessage.Begun _ -> 8;
      case LinkMessage.Blocks _ -> 9;
      case LinkMessage.Holes _ -> 10;
      case LinkMessage.Progress _ -> 11;
      case LinkMessage.Commit _ -> 12;
      case LinkMessage.Committed _ -> 13;
      case LinkMessage.Failed _ -> 14;
      case LinkMessage.Idle _ -> 15;
      case LinkMessage.Call _ -> 16;
      case LinkMessage.Reply _ -> 17;
    };
  }

  private static void put(PoolName pool, Wire.Sink out) {
    out.uuid(pool.id()).text(pool.name());
  }

  private static void put(VolumeId id, Wire.Sink out) {
    out.uuid(id.value());
  }

  private static void put(String text, Wire.Sink out) {
    out.text(text);
  }

  private static void put(Map.Entry<String, String> entry, Wire.Sink out) {
    out.text(entry.getKey()).text(entry.getValue());
  }

  private static void put(Place place, Wire.Sink out) {
    out.u32(place.member()).u64(place.offset());
  }

  private static void put(Replica replica, Wire.Sink out) {
    out.uuid(replica.cycle())
        .u64(replica.number())
        .u64(replica.taken().toEpochMilli())
        .text(replica.name())
        .list(replica.tags(), MessageCodec::put)
        .list(
            replica.snapshots().entrySet(),
            (one, to) -> to.uuid(one.getKey()).uuid(one.getValue().value()));
  }

  private static void put(Cycle cycle, Wire.Sink out) {
    out.uuid(cycle.group())
        .uuid(cycle.id())
        .u64(cycle.number())
        .u64(cycle.taken().toEpochMilli())
        .text(cycle.name())
        .list(cycle.tags(), MessageCodec::put)
        .list(cycle.members(), MessageCodec::put);
  }

  private static void put(Member member, Wire.Sink out) {
    VolumeId base = member.base();
    out.uuid(member.id())
        .uuid(member.snapshot().value())
        .u64(member.sizeInBytes())
        .u8(base == null ? 0 : 1);
    if (base != null) {
      out.uuid(base.value());
    }
    out.list(member.attributes().entrySet(), MessageCodec::put);
  }

  private void put(LinkMessage.Blocks blocks, Wire.Sink out) {
    out.u32(blocks.member())
        .u64(blocks.offset())
        .list(blocks.checksums(), (checksum, to) -> to.u32(checksum));
    ByteBuffer data = blocks.data().duplicate();
    byte[] smaller = compresses ? compressed(data) : null;
    if (smaller == null) {
      out.u8(0).bytes(data);
    } else {
      out.u8(1).u32(data.remaining()).bytes(ByteBuffer.wrap(smaller));
    }
  }

  private static byte @Nullable [] compressed(ByteBuffer data) {
    byte[] plain = new byte[data.remaining()];
    data.get(data.position(), plain);
    byte[] smaller = Zstd.compress(plain, LEVEL);
    return smaller.length < plain.length ? smaller : null;
  }

  // ---- from bytes

  /// The message that some bytes are.
  ///
  /// @throws ReplicationException (DAMAGED) if they are none; the checksums of blocks are not
  ///   looked at
  public LinkMessage decode(ByteBuffer bytes) {
    Wire in = new Wire(bytes);
    try {
      LinkMessage message = decode(in);
      in.requireEnd();
      return message;
    } catch (IllegalArgumentException e) {
      throw new ReplicationException(Reason.DAMAGED, "A message was refused: " + e.getMessage(), e);
    }
  }

  private static LinkMessage decode(Wire in) {
    int kind = in.u8();
    return switch (kind) {
      case 1 -> {
        int lowest = in.u32();
        int highest = in.u32();
        yield new LinkMessage.Hello(lowest, highest, pool(in));
      }
      case 2 -> {
        int version = in.u32();
        yield new LinkMessage.Welcome(version, pool(in));
      }
      case 3 -> new LinkMessage.AskReplicas(in.uuid());
      case 4 -> {
        List<Replica> replicas = in.list(LinkMessage.MAX_RANGES, 44, MessageCodec::replica);
        yield new LinkMessage.Replicas(replicas, in.flag() ? in.uuid() : null);
      }
      case 5 -> new LinkMessage.AskKnown(in.list(LinkMessage.MAX_KNOWN, 16, MessageCodec::volume));
      case 6 ->
          new LinkMessage.Known(
              new HashSet<>(in.list(LinkMessage.MAX_KNOWN, 16, MessageCodec::volume)));
      case 7 -> new LinkMessage.Begin(cycle(in));
      case 8 -> new LinkMessage.Begun(place(in));
      case 9 -> blocks(in);
      case 10 -> holes(in);
      case 11 -> new LinkMessage.Progress(place(in));
      case 12 -> new LinkMessage.Commit(in.uuid());
      case 13 -> new LinkMessage.Committed(in.uuid());
      case 14 -> {
        Reason reason = reason(in.u8());
        yield new LinkMessage.Failed(reason, in.text());
      }
      case 15 -> new LinkMessage.Idle();
      case 16 -> {
        String subject = in.text();
        yield new LinkMessage.Call(subject, in.text());
      }
      case 17 -> new LinkMessage.Reply(in.text());
      default ->
          throw Wire.damaged("Expected a message of kind 1 to 17, found %d.".formatted(kind));
    };
  }

  private static Reason reason(int ordinal) {
    Reason[] all = Reason.values();
    if (ordinal >= all.length) {
      throw Wire.damaged(
          "Expected a reason below %d in a message, found %d.".formatted(all.length, ordinal));
    }
    return all[ordinal];
  }

  private static PoolName pool(Wire in) {
    UUID id = in.uuid();
    return new PoolName(id, in.text());
  }

  private static VolumeId volume(Wire in) {
    return new VolumeId(in.uuid());
  }

  private static Place place(Wire in) {
    int member = in.u32();
    return new Place(member, in.u64());
  }

  private static Replica replica(Wire in) {
    UUID cycle = in.uuid();
    long number = in.u64();
    Instant taken = Instant.ofEpochMilli(in.u64());
    String name = in.text();
    List<String> tags = in.list(Cycle.MAX_TAGS, 4, Wire::text);
    Map<UUID, VolumeId> snapshots = new HashMap<>();
    in.list(
        StorageEngine.MAX_GROUP,
        32,
        one -> {
          UUID member = one.uuid();
          return snapshots.put(member, volume(one)) == null;
        });
    return new Replica(cycle, number, taken, name, tags, snapshots);
  }

  private static Cycle cycle(Wire in) {
    UUID group = in.uuid();
    UUID id = in.uuid();
    long number = in.u64();
    Instant taken = Instant.ofEpochMilli(in.u64());
    String name = in.text();
    List<String> tags = in.list(Cycle.MAX_TAGS, 4, Wire::text);
    return new Cycle(
        group,
        id,
        number,
        taken,
        name,
        tags,
        in.list(StorageEngine.MAX_GROUP, 45, MessageCodec::member));
  }

  private static Member member(Wire in) {
    UUID id = in.uuid();
    VolumeId snapshot = volume(in);
    long size = in.u64();
    VolumeId base = in.flag() ? volume(in) : null;
    Map<String, String> attributes = new HashMap<>();
    in.list(
        LinkMessage.MAX_KNOWN,
        8,
        one -> {
          String name = one.text();
          return attributes.put(name, one.text()) == null;
        });
    return new Member(id, snapshot, size, base, attributes);
  }

  private static LinkMessage holes(Wire in) {
    int member = in.u32();
    List<ByteRange> ranges =
        in.list(
            LinkMessage.MAX_RANGES,
            16,
            one -> {
              long offset = one.u64();
              return new ByteRange(offset, one.u64());
            });
    long end = 0;
    for (ByteRange range : ranges) {
      if (range.offset() < end
          || range.length() == 0
          || (range.offset() | range.length()) % 512 != 0) {
        throw Wire.damaged(
            "Expected ascending ranges in multiples of 512 bytes, found one of %d bytes at %d."
                .formatted(range.length(), range.offset()));
      }
      end = range.end();
    }
    if (member < 0 || ranges.isEmpty()) {
      throw Wire.damaged(
          "Expected ranges of a member, found %d of member %d.".formatted(ranges.size(), member));
    }
    return new LinkMessage.Holes(member, ranges);
  }

  private static LinkMessage blocks(Wire in) {
    int member = in.u32();
    long offset = in.u64();
    List<Integer> checksums = in.list(LinkMessage.MAX_DATA / BLOCK, 4, Wire::u32);
    ByteBuffer data = in.flag() ? expanded(in.u32(), in.rest()) : in.rest();
    int length = data.remaining();
    boolean isAligned = offset % BLOCK == 0 && length % 512 == 0;
    boolean isBounded = length > 0 && length <= LinkMessage.MAX_DATA && offset >= 0;
    if (member < 0
        || !isAligned
        || !isBounded
        || checksums.size() != (length + BLOCK - 1) / BLOCK
        || offset > Long.MAX_VALUE - length) {
      throw Wire.damaged(
          "Expected 512 to %d bytes at a multiple of 4096 with a checksum for each block, found %d at %d with %d."
              .formatted(LinkMessage.MAX_DATA, length, offset, checksums.size()));
    }
    return new LinkMessage.Blocks(member, offset, checksums, data);
  }

  private static ByteBuffer expanded(int length, ByteBuffer from) {
    if (length < 1 || length > LinkMessage.MAX_DATA) {
      throw Wire.damaged(
          "Expected 1 to %d bytes before compression, found %d."
              .formatted(LinkMessage.MAX_DATA, length));
    }
    byte[] compressed = new byte[from.remaining()];
    from.get(compressed);
    byte[] plain = new byte[length];
    try {
      long found = Zstd.decompress(plain, compressed);
      if (Zstd.isError(found) || found != length) {
        throw Wire.damaged(
            "Expected %d bytes after decompression, found %s."
                .formatted(length, Zstd.isError(found) ? Zstd.getErrorName(found) : found));
      }
    } catch (ZstdException e) {
      throw new ReplicationException(
          Reason.DAMAGED,
          "Expected %d compressed bytes, but they cannot be decompressed.".formatted(length),
          e);
    }
    return ByteBuffer.wrap(plain);
  }
}
