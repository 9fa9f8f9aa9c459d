package io.coppice.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Makes an input out of others. All chance comes from one seed.
final class Mutator {

  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    24,
    28,
    32,
    48,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    511,
    512,
    1000,
    4095,
    4096,
    8191,
    8192,
    32767,
    32768,
    65535,
    65536,
    0xff_ffff,
    0x100_0000,
    0x7fff_ffff,
    0x8000_0000L,
    0xffff_ffffL,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1
  };

  private final Random random;
  private final List<byte[]> tokens;
  private final int lengthMax;

  Mutator(long seed, List<byte[]> tokens, int lengthMax) {
    this.random = new Random(seed);
    this.tokens = tokens;
    this.lengthMax = lengthMax;
  }

  /// One to eight changes to one of the inputs.
  byte[] next(List<byte[]> corpus) {
    byte[] input = pick(corpus).clone();
    int changes = 1 << random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      input = change(input, corpus);
    }
    return input.length > lengthMax ? Arrays.copyOf(input, lengthMax) : input;
  }

  private byte[] change(byte[] input, List<byte[]> corpus) {
    int length = input.length;
    return switch (random.nextInt(length == 0 ? 2 : 10)) {
      case 0 -> insert(input, random.nextInt(length + 1), noise(1 + random.nextInt(8)));
      case 1 -> insert(input, random.nextInt(length + 1), piece(corpus));
      case 2 -> remove(input);
      case 3 -> insert(input, random.nextInt(length + 1), cut(input));
      case 4 -> over(input, random.nextInt(length), piece(corpus));
      case 5 -> splice(input, pick(corpus));
      case 6, 7 -> number(input);
      default -> bits(input);
    };
  }

  private byte[] bits(byte[] input) {
    int at = random.nextInt(input.length);
    input[at] =
        (byte) (random.nextBoolean() ? input[at] ^ 1 << random.nextInt(8) : random.nextInt(256));
    return input;
  }

  /// A number of 1, 2, 4 or 8 bytes, big-endian: a remarkable one, or near to what was there.
  private byte[] number(byte[] input) {
    int width = Math.min(1 << random.nextInt(4), Integer.highestOneBit(input.length));
    int at = random.nextInt(input.length - width + 1);
    long value = 0;
    for (int i = 0; i < width; i++) {
      value = value << 8 | input[at + i] & 0xff;
    }
    value =
        random.nextBoolean()
            ? value + random.nextInt(-16, 17)
            : NUMBERS[random.nextInt(NUMBERS.length)];
    for (int i = width - 1; i >= 0; i--) {
      input[at + i] = (byte) value;
      value >>>= 8;
    }
    return input;
  }

  private byte[] piece(List<byte[]> corpus) {
    return tokens.isEmpty() || random.nextInt(4) == 0 ? cut(pick(corpus)) : pick(tokens);
  }

  private byte[] cut(byte[] from) {
    if (from.length == 0) {
      return from;
    }
    int start = random.nextInt(from.length);
    return Arrays.copyOfRange(from, start, start + 1 + random.nextInt(from.length - start));
  }

  private byte[] remove(byte[] input) {
    int start = random.nextInt(input.length);
    int end = start + 1 + random.nextInt(Math.min(32, input.length - start));
    byte[] left = Arrays.copyOf(input, input.length - (end - start));
    System.arraycopy(input, end, left, start, input.length - end);
    return left;
  }

  private byte[] splice(byte[] head, byte[] tail) {
    int start = random.nextInt(tail.length + 1);
    byte[] kept = Arrays.copyOf(head, random.nextInt(head.length + 1));
    return insert(kept, kept.length, Arrays.copyOfRange(tail, start, tail.length));
  }

  private byte[] insert(byte[] input, int at, byte[] more) {
    int room = Math.min(more.length, Math.max(0, lengthMax - input.length));
    byte[] longer = Arrays.copyOf(input, input.length + room);
    System.arraycopy(input, at, longer, at + room, input.length - at);
    System.arraycopy(more, 0, longer, at, room);
    return longer;
  }

  private static byte[] over(byte[] input, int at, byte[] piece) {
    System.arraycopy(piece, 0, input, at, Math.min(piece.length, input.length - at));
    return input;
  }

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] pick(List<byte[]> from) {
    return from.get(random.nextInt(from.size()));
  }
}
