package io.coppice.admin.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/// A stream that is cut off: nothing of it may get into the answer that comes after.
class StreamCutOffTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Test
  void nothingIsWrittenAfterItWasCutOff() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EventStream stream = new EventStream(out, JSON);
    stream.send(7L, EventStream.HELLO, "x");
    stream.cutOff();
    assertThatThrownBy(() -> stream.send(8L, EventStream.HELLO, "y"))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(stream::beat).isInstanceOf(IOException.class);
    assertThatThrownBy(stream::flush).isInstanceOf(IOException.class);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("id: 7\nevent: hello\ndata: \"x\"\n\n");
  }

  @Test
  void theAnswerEndsOnceAndNotAfterItWasCutOff() {
    AtomicInteger ends = new AtomicInteger();
    EventStream ended = new EventStream(new ByteArrayOutputStream(), JSON);
    ended.end(ends::incrementAndGet);
    ended.end(ends::incrementAndGet);
    assertThat(ends).hasValue(1);
    EventStream cut = new EventStream(new ByteArrayOutputStream(), JSON);
    cut.cutOff();
    cut.end(ends::incrementAndGet);
    assertThat(ends).hasValue(1);
  }

  @Test
  @Timeout(60)
  void cuttingOffWaitsForTheWriteThatIsUnderWay() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch isCut = new CountDownLatch(1);
    EventStream stream =
        new EventStream(
            new ByteArrayOutputStream() {
              @Override
              public void write(byte[] bytes) {
                writing.countDown();
                try {
                  mayEnd.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            },
            JSON);
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    stream.beat();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    writing.await();
    Thread cutter =
        Thread.ofVirtual()
            .start(
                () -> {
                  stream.cutOff();
                  isCut.countDown();
                });
    assertThat(isCut.await(100, TimeUnit.MILLISECONDS)).as("cut off during a write").isFalse();
    mayEnd.countDown();
    isCut.await();
    writer.join();
    cutter.join();
  }
}
