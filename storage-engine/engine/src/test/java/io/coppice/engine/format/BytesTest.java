package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// [ByteSink] and [ByteSource], up to lengths that no array has.
class BytesTest {

  @Test
  void piecesOfAnyLengthAreOneRunOfBytes() {
    String text = "x".repeat(1000);
    for (int capacity : new int[] {64, 65, 100, 4096}) {
      Queue<byte[]> pieces = new ArrayDeque<>();
      ByteSink out = ByteSink.inPieces(capacity, pieces::add);
      ByteSink whole = new ByteSink(64);
      for (int i = 0; i < 500; i++) {
        for (ByteSink each : new ByteSink[] {out, whole}) {
          each.u8(i).u32(i).u64(-i).text(text).uuid(new UUID(i, 1)).texts(Map.of("a", text));
        }
      }
      assertThat(out.finish()).isEqualTo(whole.toBytes().length);
      assertThat(pieces).allSatisfy(piece -> assertThat(piece).hasSizeLessThanOrEqualTo(capacity));

      ByteSource in = new ByteSource(pieces);
      for (int i = 0; i < 500; i++) {
        assertThat(in.u8()).isEqualTo(i & 0xFF);
        assertThat(in.u32()).isEqualTo(i);
        assertThat(in.u64()).isEqualTo(-i);
        assertThat(in.text()).isEqualTo(text);
        assertThat(in.uuid()).isEqualTo(new UUID(i, 1));
        assertThat(in.texts()).isEqualTo(Map.of("a", text));
      }
      assertThat(in.isEmpty()).isTrue();
      assertThatThrownBy(in::u8)
          .isInstanceOf(FormatException.class)
          .hasMessage("expected 1 more bytes, found 0");
    }
  }

  @Test
  void nothingIsOnePieceOfNothing() {
    Queue<byte[]> pieces = new ArrayDeque<>();
    assertThat(ByteSink.inPieces(64, pieces::add).finish()).isZero();
    assertThat(pieces).hasSize(1);
  }

  @Test
  void aSinkThatGrowsDoublesUpToTheLongestArray() {
    assertThat(ByteSink.grown(64, 72)).isEqualTo(128);
    assertThat(ByteSink.grown(64, 1000)).isEqualTo(1000);
    assertThat(ByteSink.grown(1 << 30, (1L << 30) + 4)).isEqualTo(Integer.MAX_VALUE - 8);
    assertThat(ByteSink.grown(Integer.MAX_VALUE - 100, Integer.MAX_VALUE - 50L))
        .isEqualTo(Integer.MAX_VALUE - 8);
    assertThatThrownBy(() -> ByteSink.grown(1 << 30, 1L << 31))
        .hasMessage("expected up to 2147483639 bytes at once, found 2147483648");
  }

  @Test
  void moreThanTwoGibibytesAreWrittenAndRead() {
    byte[] mebibyte = new byte[1 << 20];
    long[] taken = new long[1];
    ByteSink out = ByteSink.inPieces(mebibyte.length, piece -> taken[0] += piece.length);
    for (int i = 0; i < 2500; i++) {
      out.bytes(mebibyte);
    }
    assertThat(out.finish()).isEqualTo(2500L << 20).isEqualTo(taken[0]);

    // A count of all of them is true: the same piece again and again.
    byte[] count = new ByteSink(64).u32(Integer.MAX_VALUE).toBytes();
    ByteSource in =
        new ByteSource(
            new ArrayDeque<>(
                Stream.concat(Stream.of(count), IntStream.range(0, 2500).mapToObj(_ -> mebibyte))
                    .toList()));
    assertThat(in.count(1)).isEqualTo(Integer.MAX_VALUE);
  }
}
