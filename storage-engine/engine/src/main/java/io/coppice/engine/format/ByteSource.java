package io.coppice.engine.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Reads what [ByteSink] wrote.
///
/// Every method throws [FormatException] where the bytes end too early or a count cannot be true.
public final class ByteSource {

  private final ByteBuffer view;

  public ByteSource(byte[] bytes) {
    view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  public int u8() {
    return need(1).get() & 0xFF;
  }

  public int u32() {
    return need(4).getInt();
  }

  public long u64() {
    return need(8).getLong();
  }

  public boolean flag() {
    return u8() != 0;
  }

  public UUID uuid() {
    long high = u64();
    return new UUID(high, u64());
  }

  public String text() {
    byte[] utf8 = new byte[count(1)];
    try {
      view.get(utf8);
    } catch (BufferUnderflowException e) {
      throw truncated(utf8.length);
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }

  public Map<String, String> texts() {
    int size = count(8);
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < size; i++) {
      String key = text();
      map.put(key, text());
    }
    return map;
  }

  /// A number of things that take at least `bytesEach` bytes each of what is left.
  public int count(int bytesEach) {
    int count = u32();
    if (count < 0 || (long) count * bytesEach > view.remaining()) {
      throw truncated((long) count * bytesEach);
    }
    return count;
  }

  public boolean isEmpty() {
    return !view.hasRemaining();
  }

  private ByteBuffer need(int bytes) {
    if (view.remaining() < bytes) {
      throw truncated(bytes);
    }
    return view;
  }

  private FormatException truncated(long wanted) {
    return new FormatException(
        "expected %d more bytes, found %d".formatted(wanted, view.remaining()));
  }
}
