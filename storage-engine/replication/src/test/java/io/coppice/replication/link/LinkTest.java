package io.coppice.replication.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.testing.Await;
import io.coppice.replication.Place;
import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.message.Checksums;
import io.coppice.replication.message.LinkMessage;
import io.coppice.replication.testing.MemoryWire;
import io.coppice.replication.testing.MemoryWire.Fault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LinkTest {

  private static final LinkSettings SETTINGS = new LinkSettings(Duration.ofMillis(100), false);
  private static final LinkMessage ONE = new LinkMessage.Commit(new UUID(0, 1));
  private static final LinkMessage TWO = new LinkMessage.Commit(new UUID(0, 2));

  private final MemoryWire wire = new MemoryWire();
  private final Link source = new Link(wire.source(), SETTINGS, Pace.UNLIMITED);
  private final Link target = new Link(wire.target(), SETTINGS, Pace.UNLIMITED);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    source.close();
    target.close();
    threads.close();
  }

  @Test
  void messagesComeInOrderInBothDirections() {
    source.send(ONE);
    source.send(TWO);
    target.send(TWO);

    assertThat(target.receive()).isEqualTo(ONE);
    assertThat(target.receive()).isEqualTo(TWO);
    assertThat(source.receive()).isEqualTo(TWO);
    assertThat(source.sentBytes()).isEqualTo(target.receivedBytes()).isEqualTo(2 * (12 + 17));
  }

  @Test
  void endThatHasNothingToSayIsAliveForLong() throws Exception {
    Future<LinkMessage> received = threads.submit(target::receive);
    Future<LinkMessage> other = threads.submit(source::receive);
    Thread.sleep(5 * SETTINGS.silence().toMillis());
    source.send(ONE);
    target.send(TWO);

    assertThat(received.get()).isEqualTo(ONE);
    assertThat(other.get()).isEqualTo(TWO);
  }

  @Test
  void dataIsSentWithTheNextSignOfLife() {
    ByteBuffer data = ByteBuffer.wrap(new byte[4096]);
    source.send(new LinkMessage.Blocks(0, 0, Checksums.of(data), data));

    assertThat(target.receive()).isInstanceOf(LinkMessage.Blocks.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DROP", "HALF_OPEN", "ONE_WAY", "STALL"})
  void endThatFallsSilentIsGivenUp(Fault fault) {
    wire.fail(true, 10, fault);
    Future<LinkMessage> received = threads.submit(target::receive);
    try {
      source.send(ONE);
    } catch (ReplicationException e) {
      // Some faults are seen by the sender.
    }

    assertThatThrownBy(received::get)
        .cause()
        .isInstanceOfSatisfying(
            ReplicationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE));
    assertThat(target.isOpen()).isFalse();
  }

  @Test
  void endThatTakesNothingIsGivenUp() {
    ByteBuffer data = ByteBuffer.allocate(LinkMessage.MAX_DATA);
    LinkMessage blocks = new LinkMessage.Blocks(0, 0, Checksums.of(data), data);

    assertThatThrownBy(
            () -> {
              while (true) {
                source.send(blocks);
              }
            })
        .isInstanceOf(ReplicationException.class)
        .hasMessage("The other end of the link took nothing for 100 ms, so it was given up.");
  }

  @Test
  void closedLinkFailsForEverybody() {
    Future<LinkMessage> waiting = threads.submit(source::receive);
    source.close();

    assertThatThrownBy(waiting::get).cause().isInstanceOf(ReplicationException.class);
    assertThatThrownBy(() -> source.send(ONE)).isInstanceOf(ReplicationException.class);
    assertThatThrownBy(target::receive).isInstanceOf(ReplicationException.class);
  }

  // ---- what else may come

  /// The frames of some messages.
  private static List<byte[]> frames(LinkMessage... messages) {
    List<byte[]> frames = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LinkSettings patient = new LinkSettings(Duration.ofMinutes(1), false);
    try (Link link =
        new Link(transport(InputStream.nullInputStream(), out), patient, Pace.UNLIMITED)) {
      for (LinkMessage message : messages) {
        out.reset();
        link.send(message);
        frames.add(out.toByteArray());
      }
    }
    return frames;
  }

  private static Transport transport(InputStream in, OutputStream out) {
    return new Transport() {
      @Override
      public InputStream in() {
        return in;
      }

      @Override
      public OutputStream out() {
        return out;
      }

      @Override
      public void close() {}
    };
  }

  private static void refused(int good, String message, byte[]... frames) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      bytes.writeBytes(frame);
    }
    InputStream in = new ByteArrayInputStream(bytes.toByteArray());
    try (Link link =
        new Link(transport(in, OutputStream.nullOutputStream()), SETTINGS, Pace.UNLIMITED)) {
      for (int i = 0; i < good; i++) {
        link.receive();
      }
      assertThatThrownBy(link::receive)
          .isInstanceOfSatisfying(
              ReplicationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED))
          .hasMessageMatching(message);
      assertThat(link.isOpen()).isFalse();
    }
  }

  @Test
  void messageThatComesTwiceEndsTheLink() {
    byte[] one = frames(ONE).getFirst();
    refused(1, "Expected message 1 of the link, found 0.", one, one);
  }

  @Test
  void messageThatComesTooEarlyEndsTheLink() {
    List<byte[]> frames = frames(ONE, TWO);
    refused(0, "Expected message 0 of the link, found 1.", frames.get(1), frames.get(0));
  }

  @Test
  void changedMessageEndsTheLink() {
    for (int at = 8; at < 29; at++) {
      byte[] frame = frames(ONE).getFirst();
      frame[at] ^= 4;
      refused(0, "Expected a message with checksum .*", frame);
    }
  }

  @Test
  void lengthOutOfRangeEndsTheLink() {
    byte[] frame = frames(ONE).getFirst();
    frame[0] = 0x7f;
    refused(0, "Expected a message of 1 to 25165824 bytes, found 2130706449.", frame);
    byte[] empty = new byte[12];
    refused(0, "Expected a message of 1 to 25165824 bytes, found 0.", empty);
  }

  // ---- the handshake

  private static final PoolName A = new PoolName(new UUID(1, 1), "a");
  private static final PoolName B = new PoolName(new UUID(2, 2), "b");

  @Test
  void endsKnowEachOther() throws Exception {
    Future<PoolName> answering = threads.submit(() -> Handshake.answer(target, B, _ -> {}));

    assertThat(Handshake.introduce(source, A, B.id())).isEqualTo(B);
    assertThat(answering.get()).isEqualTo(A);
  }

  @Test
  void otherPoolThanExpectedIsRefused() {
    threads.submit(() -> Handshake.answer(target, B, _ -> {}));

    assertThatThrownBy(() -> Handshake.introduce(source, A, new UUID(3, 3)))
        .isInstanceOfSatisfying(
            ReplicationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN))
        .hasMessageContaining("b (%s)".formatted(B.id()));
  }

  @Test
  void poolThatMayNotConnectIsTold() {
    threads.submit(
        () ->
            Handshake.answer(
                target,
                B,
                pool -> {
                  throw new ReplicationException(
                      Reason.FORBIDDEN, "Pool %s is not paired.".formatted(pool.name()));
                }));

    assertThatThrownBy(() -> Handshake.introduce(source, A, B.id()))
        .hasMessage("Pool a is not paired.");
  }

  @Test
  void newerPoolIsToldWhichOneToUpgrade() {
    threads.submit(() -> Handshake.answer(target, B, _ -> {}));
    source.send(new LinkMessage.Hello(2, 4, A));

    assertThat(source.receive())
        .isEqualTo(
            new LinkMessage.Failed(
                Reason.VERSION,
                "Pool b speaks version 1 of the protocol, pool a speaks 2 to 4: upgrade the older one."));
  }

  @Test
  void otherFirstMessageIsRefused() {
    Future<PoolName> answering = threads.submit(() -> Handshake.answer(target, B, _ -> {}));
    source.send(new LinkMessage.Progress(Place.START));

    assertThat(source.receive()).isInstanceOf(LinkMessage.Failed.class);
    assertThatThrownBy(answering::get).cause().isInstanceOf(ReplicationException.class);
  }

  // ---- the pace

  @Test
  void windowsSayTheRate() {
    Pace pace =
        new Pace(
            List.of(
                new Pace.Window(LocalTime.of(8, 0), LocalTime.of(18, 0), 1000),
                new Pace.Window(LocalTime.of(22, 0), LocalTime.of(6, 0), 0)),
            ZoneId.of("Europe/Zurich"),
            InstantSource.fixed(Instant.parse("2026-11-29T07:30:00Z"))); // 08:30 there
    assertThat(pace.bytesPerSecond()).isEqualTo(1000);
    assertThat(at("2026-11-29T06:30:00Z", pace)).isEqualTo(Long.MAX_VALUE);
    assertThat(at("2026-11-29T23:30:00Z", pace)).isZero();
    assertThat(at("2026-11-29T04:59:59Z", pace)).isZero();
    assertThat(at("2026-11-29T05:00:00Z", pace)).isEqualTo(Long.MAX_VALUE);
  }

  private static long at(String moment, Pace pace) {
    return pace.at(InstantSource.fixed(Instant.parse(moment))).bytesPerSecond();
  }

  @Test
  void sendersTakeTurnsAtTheRate() throws Exception {
    long rate = 1 << 20;
    Pace pace =
        new Pace(
            List.of(new Pace.Window(LocalTime.MIN, LocalTime.MIN, rate)),
            ZoneId.of("UTC"),
            InstantSource.system());
    long begin = System.nanoTime();
    List<Future<?>> senders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      senders.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 8; n++) {
                  pace.take(8 << 10);
                }
                return null;
              }));
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    // The first one goes at once: what follows it is paid before.
    assertThat(seconds).isGreaterThanOrEqualTo(31 * 8192.0 / rate);
  }

  @Test
  void stoppedSenderStillShowsLife() throws Exception {
    MemoryWire slow = new MemoryWire();
    Pace stopped =
        new Pace(
            List.of(new Pace.Window(LocalTime.MIN, LocalTime.MIN, 0)),
            ZoneId.of("UTC"),
            InstantSource.system());
    Link from = new Link(slow.source(), SETTINGS, stopped);
    Link to = new Link(slow.target(), SETTINGS, Pace.UNLIMITED);
    Future<?> sending = threads.submit(() -> from.send(ONE));
    Future<LinkMessage> receiving = threads.submit(to::receive);
    Await.until("signs of life", () -> to.receivedBytes() > 10 * 13);

    assertThat(receiving.isDone()).isFalse();
    sending.cancel(true);
    from.close();
    to.close();
  }
}
