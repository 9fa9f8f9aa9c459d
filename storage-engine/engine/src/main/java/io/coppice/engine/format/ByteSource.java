package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Function;

/// A reader of bytes that [ByteSink] wrote, in one piece or several.
///
/// Every method throws [FormatException] if the bytes end too early or a count cannot be true.
public final class ByteSource {

  private final Queue<byte[]> pieces; // behind the one in view
  private long behind; // bytes of these
  private ByteBuffer view;

  public ByteSource(byte[] bytes) {
    this(new ArrayDeque<>(List.of(bytes)));
  }

  /// @param pieces in order; each is let go of when it has been read
  public ByteSource(Queue<byte[]> pieces) {
    this.pieces = pieces;
    for (byte[] piece : pieces) {
      behind += piece.length;
    }
    view = ByteBuffer.allocate(0);
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
    need(utf8.length).get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /// The next `length` bytes.
  public byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    need(length).get(bytes);
    return bytes;
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

  /// Values behind their number.
  ///
  /// @param leastBytes that each of them takes
  public <T> List<T> list(int leastBytes, Function<ByteSource, T> decoder) {
    List<T> values = new ArrayList<>();
    for (int n = count(leastBytes); n > 0; n--) {
      values.add(decoder.apply(this));
    }
    return values;
  }

  /// A number of things that take at least `bytesEach` bytes each of the rest.
  public int count(int bytesEach) {
    int count = u32();
    if (count < 0 || (long) count * bytesEach > left()) {
      throw truncated((long) count * bytesEach);
    }
    return count;
  }

  public boolean isEmpty() {
    return left() == 0;
  }

  private long left() {
    return view.remaining() + behind;
  }

  private ByteBuffer need(int bytes) {
    if (view.remaining() < bytes) {
      if (left() < bytes) {
        throw truncated(bytes);
      }
      join(bytes);
    }
    return view;
  }

  /// Puts the rest of the piece in view before as many later pieces as are needed.
  private void join(int bytes) {
    List<byte[]> next = new ArrayList<>();
    long length = view.remaining();
    while (length < bytes) {
      byte[] piece = pieces.remove();
      next.add(piece);
      length += piece.length;
      behind -= piece.length;
    }
    byte[] joined = new byte[Math.toIntExact(length)];
    ByteBuffer all = ByteBuffer.wrap(joined).order(ByteOrder.LITTLE_ENDIAN).put(view);
    next.forEach(all::put);
    view = all.flip();
  }

  private FormatException truncated(long wanted) {
    return new FormatException("expected %d more bytes, found %d".formatted(wanted, left()));
  }
}
