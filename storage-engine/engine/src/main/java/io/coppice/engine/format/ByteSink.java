package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A growing little-endian run of bytes, or one of any length that is handed on in pieces.
public final class ByteSink {

  private static final int LEAST = 64;

  /// The longest array that there can be, about.
  private static final int MOST = Integer.MAX_VALUE - 8;

  private final @Nullable Consumer<byte[]> taker;
  private byte[] bytes;
  private ByteBuffer view;
  private long handedOn;

  public ByteSink(int capacity) {
    this(capacity, null);
  }

  private ByteSink(int capacity, @Nullable Consumer<byte[]> taker) {
    this.taker = taker;
    bytes = new byte[Math.max(LEAST, capacity)];
    view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// A sink that keeps no more than a piece. Its bytes go to `taker`, in order, in pieces of up to
  /// `capacity` bytes (64 at least), the last of them with [#finish].
  public static ByteSink inPieces(int capacity, Consumer<byte[]> taker) {
    return new ByteSink(capacity, taker);
  }

  /// Hands on the rest, if there is any, or if nothing was handed on so far.
  ///
  /// @return the bytes of all pieces
  public long finish() {
    if (view.position() > 0 || handedOn == 0) {
      handOn();
    }
    return handedOn;
  }

  private void handOn() {
    if (taker != null) {
      taker.accept(toBytes());
      handedOn += view.position();
      view.clear();
    }
  }

  public ByteSink u8(int value) {
    room(1).put((byte) value);
    return this;
  }

  public ByteSink u32(int value) {
    room(4).putInt(value);
    return this;
  }

  public ByteSink u64(long value) {
    room(8).putLong(value);
    return this;
  }

  public ByteSink bytes(byte[] value) {
    for (int at = 0; at < value.length; ) {
      int count = taker == null ? value.length : Math.min(LEAST, value.length - at);
      room(count).put(value, at, count);
      at += count;
    }
    return this;
  }

  public ByteSink flag(boolean value) {
    return u8(value ? 1 : 0);
  }

  public ByteSink uuid(UUID value) {
    return u64(value.getMostSignificantBits()).u64(value.getLeastSignificantBits());
  }

  /// Length in bytes of UTF-8, then the bytes.
  public ByteSink text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return u32(utf8.length).bytes(utf8);
  }

  /// Number of entries, then key and value of each, in key order.
  public ByteSink texts(Map<String, String> map) {
    u32(map.size());
    map.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> text(e.getKey()).text(e.getValue()));
    return this;
  }

  /// Number of values, then each of them.
  public <T> ByteSink list(Collection<T> values, BiConsumer<T, ByteSink> encoder) {
    u32(values.size());
    values.forEach(value -> encoder.accept(value, this));
    return this;
  }

  /// The bytes so far; of a sink in pieces, those of the piece that is not handed on yet.
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, view.position());
  }

  private ByteBuffer room(int more) {
    if (view.remaining() < more) {
      if (taker == null) {
        int position = view.position();
        bytes = Arrays.copyOf(bytes, grown(bytes.length, (long) position + more));
        view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(position);
      } else {
        handOn();
      }
    }
    return view;
  }

  /// The length to grow to: twice the present one, within the longest possible array.
  ///
  /// @throws IllegalStateException if no array can hold the needed bytes
  static int grown(int length, long needed) {
    if (needed > MOST) {
      throw new IllegalStateException(
          "expected up to %d bytes at once, found %d".formatted(MOST, needed));
    }
    return (int) Math.min(MOST, Math.max(2L * length, needed));
  }
}
