package io.coppice.replication.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MessageCodecTest {

  private static final UUID ID = new UUID(1, 2);
  private static final VolumeId SNAPSHOT = new VolumeId(new UUID(3, 4));
  private static final Instant TAKEN = Instant.ofEpochMilli(1_764_000_000_123L);
  private static final ByteBuffer DATA = ByteBuffer.wrap(new byte[4096 + 512]);

  static final List<LinkMessage> MESSAGES =
      List.of(
          new LinkMessage.Hello(1, 3, new PoolName(ID, "Zürich")),
          new LinkMessage.Welcome(2, new PoolName(ID, "")),
          new LinkMessage.AskReplicas(ID),
          new LinkMessage.Replicas(
              List.of(
                  new Replica(ID, 9, TAKEN, "n", List.of("a", "b"), Map.of(ID, SNAPSHOT)),
                  new Replica(new UUID(0, 1), 8, TAKEN, "", List.of(), Map.of())),
              null),
          new LinkMessage.Replicas(List.of(), ID),
          new LinkMessage.AskKnown(List.of(SNAPSHOT)),
          new LinkMessage.Known(Set.of(SNAPSHOT)),
          new LinkMessage.Begin(
              new Cycle(
                  ID,
                  new UUID(5, 6),
                  7,
                  TAKEN,
                  "before the upgrade",
                  List.of("x"),
                  List.of(
                      new Member(ID, SNAPSHOT, 1 << 20, null, Map.of("vm", "web")),
                      new Member(
                          new UUID(8, 8),
                          new VolumeId(ID),
                          1 << 20,
                          new VolumeId(new UUID(9, 9)),
                          Map.of())))),
          new LinkMessage.Begun(new Place(3, 4096)),
          new LinkMessage.Blocks(0, 8192, Checksums.of(DATA), DATA),
          new LinkMessage.Holes(1, List.of(new ByteRange(0, 512), new ByteRange(4096, 8192))),
          new LinkMessage.Progress(Place.START),
          new LinkMessage.Commit(ID),
          new LinkMessage.Committed(ID),
          new LinkMessage.Failed(Reason.OUT_OF_SPACE, "The pool is full."),
          new LinkMessage.Idle(),
          new LinkMessage.Call("describe", "{\"name\": \"größer\"}"),
          new LinkMessage.Reply(""));

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void messageComesAsItWasSent(LinkMessage message) {
    for (boolean compresses : List.of(false, true)) {
      ByteBuffer bytes = new MessageCodec(compresses).encode(message);
      assertThat(new MessageCodec(false).decode(bytes)).isEqualTo(message);
    }
  }

  @Test
  void everyKindIsTested() {
    assertThat(MESSAGES.stream().<Class<?>>map(LinkMessage::getClass).distinct())
        .containsExactlyInAnyOrder(LinkMessage.class.getPermittedSubclasses());
  }

  @Test
  void dataThatCompressesIsShorterAndOtherDataIsNot() {
    ByteBuffer text = ByteBuffer.wrap(new byte[LinkMessage.MAX_DATA]);
    assertThat(encoded(text)).isLessThan(4096);
    byte[] noise = new byte[LinkMessage.MAX_DATA];
    new SplittableRandom(1).nextBytes(noise);
    assertThat(encoded(ByteBuffer.wrap(noise))).isLessThan(noise.length + 4 * 256 + 32);
  }

  private static int encoded(ByteBuffer data) {
    MessageCodec codec = new MessageCodec(true);
    ByteBuffer bytes = codec.encode(new LinkMessage.Blocks(0, 0, Checksums.of(data), data));
    int length = bytes.remaining();
    assertThat(((LinkMessage.Blocks) codec.decode(bytes)).data()).isEqualTo(data);
    return length;
  }

  // ---- what else may come

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void partOfAMessageIsRefused(LinkMessage message) {
    ByteBuffer bytes = new MessageCodec(true).encode(message);
    for (int length = 0; length < bytes.remaining(); length += Math.max(1, length / 50)) {
      refused(bytes.slice(0, length));
    }
    refused(ByteBuffer.allocate(bytes.remaining() + 1).put(bytes.duplicate()).rewind());
  }

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void changedMessageIsAnotherOneOrRefused(LinkMessage message) {
    byte[] bytes = Arrays.copyOf(new MessageCodec(true).encode(message).array(), 300);
    int length = new MessageCodec(true).encode(message).remaining();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 3000; i++) {
      byte[] changed = Arrays.copyOf(bytes, Math.min(length, bytes.length));
      for (int n = random.nextInt(4); n >= 0; n--) {
        changed[random.nextInt(changed.length)] =
            random.nextBoolean() ? (byte) random.nextInt() : (byte) -1;
      }
      try {
        assertThat(new MessageCodec(true).decode(ByteBuffer.wrap(changed))).isNotNull();
      } catch (ReplicationException e) {
        assertThat(e.reason()).isEqualTo(Reason.DAMAGED);
      } catch (RuntimeException e) {
        fail("expected a ReplicationException", e);
      }
    }
  }

  @Test
  void listThatIsLongerThanItsMessageTakesNoMemory() {
    ByteBuffer bytes = ByteBuffer.allocate(9).put((byte) 5).putInt(4096).putInt(0).flip();
    assertThatThrownBy(() -> new MessageCodec(true).decode(bytes))
        .isInstanceOf(ReplicationException.class)
        .hasMessage(
            "Expected a list of at most 4096 in a message of which 4 bytes are left, found 4096.");
  }

  @Test
  void cycleOfTooManyMembersIsRefused() {
    List<Member> members =
        IntStream.range(0, 257)
            .mapToObj(
                i ->
                    new Member(
                        new UUID(1, i), new VolumeId(new UUID(2, i)), 1 << 20, null, Map.of()))
            .toList();
    assertThatThrownBy(() -> new Cycle(ID, ID, 1, TAKEN, "", List.of(), members))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("257");
  }

  @Test
  void expansionBeyondItsLengthIsRefused() {
    ByteBuffer data = ByteBuffer.wrap(new byte[LinkMessage.MAX_DATA]);
    ByteBuffer bytes =
        new MessageCodec(true).encode(new LinkMessage.Blocks(0, 0, Checksums.of(data), data));
    int lengthAt = 1 + 4 + 8 + 4 + 256 * 4 + 1;
    bytes.putInt(lengthAt, 4096);
    refused(bytes);
  }

  private static void refused(ByteBuffer bytes) {
    assertThatThrownBy(() -> new MessageCodec(true).decode(bytes.duplicate()))
        .isInstanceOfSatisfying(
            ReplicationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
  }
}
