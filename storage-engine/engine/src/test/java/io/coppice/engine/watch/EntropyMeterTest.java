package io.coppice.engine.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// The entropy of blocks whose content is known.
class EntropyMeterTest {

  private static final int BLOCK = 4096;

  private final EntropyMeter meter = new EntropyMeter();

  private int of(byte[] content) {
    return meter.measure(ByteBuffer.wrap(content), 0);
  }

  private static byte[] filled(int period) {
    byte[] content = new byte[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
      content[i] = (byte) (i % period);
    }
    return content;
  }

  private static byte[] text(int length) {
    String[] words = {"the ", "volume ", "is ", "written ", "to ", "by ", "a ", "host, ", "which "};
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(words[random.nextInt(words.length)]).append(random.nextInt(100)).append(' ');
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void evenDistributionsHaveTheirBinaryLogarithm() {
    assertThat(of(new byte[BLOCK])).isZero();
    assertThat(of(filled(2))).isEqualTo(1000);
    assertThat(of(filled(16))).isEqualTo(4000);
    assertThat(of(filled(64))).isEqualTo(6000);
  }

  @Test
  void everyValueOfABytesCounts() {
    byte[] content = new byte[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
      content[i] = (byte) (i % 64 + i / 512 % 4 * 64);
    }

    assertThat(of(content)).isEqualTo(8000);
  }

  @Test
  void textIsFarFromRandom() {
    for (int at = 0; at < 10; at++) {
      assertThat(of(text((at + 1) * BLOCK))).isBetween(3500, 5000);
    }
  }

  @Test
  void randomBytesHaveSevenAndAHalfBits() {
    Random random = new Random(42);
    byte[] content = new byte[BLOCK];
    for (int i = 0; i < 1000; i++) {
      random.nextBytes(content);

      assertThat(of(content)).as("block %d of seed 42", i).isBetween(7400, 7750);
    }
  }

  @Test
  void compressedBytesLookRandom() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text(1 << 20));
    }
    byte[] all = packed.toByteArray();
    assertThat(all.length).isGreaterThan(4 * BLOCK);

    ByteBuffer bytes = ByteBuffer.wrap(all);
    for (int at = BLOCK; at + BLOCK <= all.length; at += BLOCK) {
      assertThat(meter.measure(bytes, at)).isBetween(7300, 7750);
    }
  }

  @Test
  void theBufferIsLeftAsItIs() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(3 * BLOCK).position(17).limit(2 * BLOCK + 5);
    bytes.put(BLOCK, filled(16));

    assertThat(meter.measure(bytes, BLOCK)).isEqualTo(4000);
    assertThat(bytes.position()).isEqualTo(17);
    assertThat(bytes.limit()).isEqualTo(2 * BLOCK + 5);
  }
}
