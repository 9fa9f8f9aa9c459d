package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

/// A growing little-endian run of bytes.
public final class ByteSink {

  private byte[] bytes;
  private ByteBuffer view;

  public ByteSink(int capacity) {
    bytes = new byte[Math.max(64, capacity)];
    view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
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
    room(value.length).put(value);
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
    u32(utf8.length);
    room(utf8.length).put(utf8);
    return this;
  }

  /// Number of entries, then key and value of each, in key order.
  public ByteSink texts(Map<String, String> map) {
    u32(map.size());
    map.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> text(e.getKey()).text(e.getValue()));
    return this;
  }

  public int length() {
    return view.position();
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, view.position());
  }

  private ByteBuffer room(int more) {
    if (view.remaining() < more) {
      int position = view.position();
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(position, more)));
      view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(position);
    }
    return view;
  }
}
