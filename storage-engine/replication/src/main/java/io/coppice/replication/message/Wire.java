package io.coppice.replication.message;

import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// The bytes of a message while they are read: big-endian numbers, counted lists, texts in UTF-8.
///
/// Nothing is believed: each count is held against what is left before anything is made of it.
final class Wire {

  private final ByteBuffer bytes;

  Wire(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  static ReplicationException damaged(String sentence) {
    return new ReplicationException(Reason.DAMAGED, sentence);
  }

  private void require(int count) {
    if (count < 0 || bytes.remaining() < count) {
      throw damaged(
          "Expected %d more bytes of a message, found %d.".formatted(count, bytes.remaining()));
    }
  }

  int u8() {
    require(1);
    return bytes.get() & 0xff;
  }

  int u32() {
    require(4);
    return bytes.getInt();
  }

  long u64() {
    require(8);
    return bytes.getLong();
  }

  boolean flag() {
    int value = u8();
    if (value > 1) {
      throw damaged("Expected a flag of 0 or 1 in a message, found %d.".formatted(value));
    }
    return value == 1;
  }

  UUID uuid() {
    long high = u64();
    return new UUID(high, u64());
  }

  String text() {
    int length = u32();
    require(length);
    ByteBuffer part = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(part).toString();
    } catch (CharacterCodingException e) {
      throw new ReplicationException(
          Reason.DAMAGED, "Expected a text in UTF-8 in a message, found other bytes.", e);
    }
  }

  /// @param leastBytes what each element takes at least
  <T> List<T> list(int most, int leastBytes, Function<Wire, T> element) {
    int count = u32();
    if (count < 0 || count > most || (long) count * leastBytes > bytes.remaining()) {
      throw damaged(
          "Expected a list of at most %d in a message of which %d bytes are left, found %d."
              .formatted(most, bytes.remaining(), count));
    }
    List<T> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(element.apply(this));
    }
    return all;
  }

  /// All that is left.
  ByteBuffer rest() {
    ByteBuffer rest = bytes.slice();
    bytes.position(bytes.limit());
    return rest;
  }

  void requireEnd() {
    if (bytes.hasRemaining()) {
      throw damaged(
          "Expected the end of a message, found %d more bytes.".formatted(bytes.remaining()));
    }
  }

  /// The bytes of a message while they are written.
  static final class Sink {

    private ByteBuffer into = ByteBuffer.allocate(256);

    private ByteBuffer room(int count) {
      if (into.remaining() < count) {
        ByteBuffer larger =
            ByteBuffer.allocate(Math.max(2 * into.capacity(), into.position() + count));
        into = larger.put(into.flip());
      }
      return into;
    }

    Sink u8(int value) {
      room(1).put((byte) value);
      return this;
    }

    Sink u32(int value) {
      room(4).putInt(value);
      return this;
    }

    Sink u64(long value) {
      room(8).putLong(value);
      return this;
    }

    Sink uuid(UUID value) {
      return u64(value.getMostSignificantBits()).u64(value.getLeastSignificantBits());
    }

    Sink text(String value) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      u32(utf8.length);
      room(utf8.length).put(utf8);
      return this;
    }

    Sink bytes(ByteBuffer more) {
      room(more.remaining()).put(more);
      return this;
    }

    <T> Sink list(Collection<T> all, Element<T> element) {
      u32(all.size());
      all.forEach(one -> element.put(one, this));
      return this;
    }

    ByteBuffer done() {
      return into.flip();
    }
  }

  /// The writing of one element of a list.
  interface Element<T> {
    void put(T element, Sink to);
  }
}
