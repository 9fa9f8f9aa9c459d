package io.coppice.iscsi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopConnectionsTest {

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // it may overflow
  private final LoopConnections mates = new LoopConnections(clock::get, true);
  private final EmbeddedChannel one = new EmbeddedChannel();
  private final EmbeddedChannel other = new EmbeddedChannel();

  @AfterEach
  void close() {
    one.finishAndReleaseAll();
    other.finishAndReleaseAll();
  }

  @Test
  void onlyAConnectionThatIsAloneLendsTheLoop() {
    assertThat(lends()).isFalse();
    assertThat(mates.join(one)).isTrue();
    assertThat(LoopConnections.of(one)).isSameAs(mates);
    assertThat(lends()).isTrue();
    assertThat(mates.join(other)).isTrue();
    assertThat(mates.connections()).isEqualTo(2);
    assertThat(lends()).isFalse();
    other.close();
    assertThat(lends()).isTrue();
  }

  @Test
  void nobodyJoinsWhileTheLoopIsLent() {
    mates.join(one);
    long start = mates.now();
    assertThat(mates.lend()).isTrue();
    assertThat(mates.isLent()).isTrue();
    assertThat(mates.join(other)).isFalse();
    assertThat(mates.connections()).isEqualTo(1);

    mates.lentSince(start);
    assertThat(mates.isLent()).isFalse();
    assertThat(mates.join(other)).isTrue();
  }

  @Test
  void aSlowTransferEndsLendingForASecond() {
    mates.join(one);
    transfer(TimeUnit.MILLISECONDS.toNanos(2));
    assertThat(lends()).isTrue();

    transfer(TimeUnit.MILLISECONDS.toNanos(2) + 1);
    assertThat(lends()).isFalse();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
    assertThat(lends()).isFalse();
    clock.addAndGet(1);
    assertThat(lends()).isTrue();
  }

  @Test
  void theLoopThatAcceptsNeverLendsItself() {
    LoopConnections front = new LoopConnections(clock::get, false);
    front.join(one);

    assertThat(front.lend()).isFalse();
    assertThat(LoopConnections.of(other).lend()).as("of a connection at no loop of ours").isFalse();
  }

  private boolean lends() {
    long start = mates.now();
    boolean lends = mates.lend();
    if (lends) {
      mates.lentSince(start);
    }
    return lends;
  }

  private void transfer(long nanos) {
    long start = mates.now();
    assertThat(mates.lend()).isTrue();
    clock.addAndGet(nanos);
    mates.lentSince(start);
  }
}
