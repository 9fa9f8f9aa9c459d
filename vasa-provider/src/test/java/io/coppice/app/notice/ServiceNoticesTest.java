package io.coppice.app.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.Readiness;
import io.coppice.admin.health.Planes;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.pool.StoragePool;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a service manager reads from its socket, which here is Netty's.
class ServiceNoticesTest {

  private static final String SERVED = "Volumes are served. ";

  @TempDir Path folder;

  private final MemoryEngine engine = new MemoryEngine();
  private final Obstacle obstacle = new Obstacle();
  private final Planes planes = new Planes(new StoragePool(engine), obstacle);

  /// A control plane that answers or does not.
  private static final class Obstacle implements Readiness {

    private volatile Optional<String> reason = Optional.of("the database does not answer");

    @Override
    public Optional<String> obstacle() {
      return reason;
    }

    @Override
    public void requireReady() {}

    @Override
    public WorkGate.Pass enter() {
      throw new IllegalStateException("nothing is let in here");
    }
  }

  /// A service manager, with every message that it has not been asked for yet.
  private static final class Manager implements AutoCloseable {

    private final MultiThreadIoEventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final Channel channel;

    Manager(String address) {
      channel =
          new Bootstrap()
              .group(loop)
              .channel(EpollDomainDatagramChannel.class)
              .handler(
                  new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(
                        ChannelHandlerContext context, DomainDatagramPacket packet) {
                      messages.add(packet.content().toString(StandardCharsets.UTF_8));
                    }
                  })
              .bind(new DomainSocketAddress(address))
              .syncUninterruptibly()
              .channel();
    }

    String next() throws InterruptedException {
      String message = messages.poll(10, TimeUnit.SECONDS);
      return message == null ? "nothing within 10 s" : message;
    }

    @Override
    public void close() {
      channel.close().syncUninterruptibly();
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private ServiceNotices notices(String address, String... more) {
    Map<String, String> environment = new HashMap<>(Map.of("NOTIFY_SOCKET", address));
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return new ServiceNotices(environment, planes);
  }

  @Test
  void theManagerHearsWhyItIsNotReadyThenThatItIsThenThatItStops() throws Exception {
    String path = folder.resolve("notify").toString();
    try (var manager = new Manager(path)) {
      ServiceNotices notices = notices(path);
      notices.start();
      try {
        assertThat(manager.next()).isEqualTo("STATUS=" + SERVED + "The database does not answer.");

        obstacle.reason = Optional.empty();
        assertThat(manager.next()).isEqualTo("READY=1\nSTATUS=" + SERVED + "Calls are answered.");

        obstacle.reason = Optional.of("the database went away");
        assertThat(manager.next()).isEqualTo("STATUS=" + SERVED + "The database went away.");

        obstacle.reason = Optional.empty();
        assertThat(manager.next()).isEqualTo("STATUS=" + SERVED + "Calls are answered.");
      } finally {
        notices.stop();
      }
      assertThat(manager.next()).startsWith("STOPPING=1\n");
      assertThat(notices.isRunning()).isFalse();
    }
  }

  @Test
  void anAbstractSocketIsReachedToo() throws Exception {
    String name = "coppice-" + UUID.randomUUID();
    obstacle.reason = Optional.empty();
    try (var manager = new Manager("\0" + name)) {
      ServiceNotices notices = notices("@" + name);
      notices.start();
      try {
        assertThat(manager.next()).startsWith("READY=1\n");
      } finally {
        notices.stop();
      }
    }
  }

  @Test
  void signsOfLifeEndWhenThePoolStops() throws Exception {
    String path = folder.resolve("notify").toString();
    obstacle.reason = Optional.empty();
    try (var manager = new Manager(path)) {
      ServiceNotices notices = notices(path, "WATCHDOG_USEC", "200000");
      notices.start();
      try {
        assertThat(manager.next()).startsWith("READY=1\n");
        assertThat(manager.next()).isEqualTo("WATCHDOG=1");
        assertThat(manager.next()).isEqualTo("WATCHDOG=1");

        engine.stop("the disk is gone");
        String last = manager.next();
        while (last.equals("WATCHDOG=1")) {
          last = manager.next();
        }
        assertThat(last).contains("No volume is served", "the disk is gone");
        assertThat(manager.messages.poll(1, TimeUnit.SECONDS)).isNull();
      } finally {
        notices.stop();
      }
    }
  }

  @Test
  void aWatchOverAnotherProcessIsNotOurs() throws Exception {
    String path = folder.resolve("notify").toString();
    obstacle.reason = Optional.empty();
    try (var manager = new Manager(path)) {
      ServiceNotices notices = notices(path, "WATCHDOG_USEC", "200000", "WATCHDOG_PID", "1");
      notices.start();
      try {
        assertThat(manager.next()).startsWith("READY=1\n");
        assertThat(manager.messages.poll(1, TimeUnit.SECONDS)).isNull();
      } finally {
        notices.stop();
      }
    }
  }

  @Test
  void whatCouldNotBeSentIsSentLater() throws Exception {
    String path = folder.resolve("notify").toString();
    obstacle.reason = Optional.empty();
    ServiceNotices notices = notices(path);
    notices.start();
    try (var manager = new Manager(path)) {
      assertThat(manager.next()).startsWith("READY=1\n");
    } finally {
      notices.stop();
    }
  }

  @Test
  void aStatusIsOneLineWhateverItsReasonHolds() throws Exception {
    String path = folder.resolve("notify").toString();
    Map<String, String> environment = Map.of("NOTIFY_SOCKET", path);
    ServiceNotices.tell(environment, "nobody listens yet");
    try (var manager = new Manager(path)) {
      ServiceNotices.tell(environment, "The disk\nREADY=1\r\n is gone.");

      assertThat(manager.next()).isEqualTo("STATUS=The disk READY=1 is gone.");
    }
  }

  @Test
  void withoutASocketNothingRuns() {
    var notices = new ServiceNotices(Map.of(), planes);

    notices.start();

    assertThat(notices.isRunning()).isFalse();
  }

  @Test
  void aNameThatIsNoSocketIsPassedOver() {
    for (String name : new String[] {"relative", "@", "/", "vsock:2:1", "/" + "x".repeat(107)}) {
      assertThat(NotifySocket.of(Map.of("NOTIFY_SOCKET", name))).as(name).isEmpty();
    }
    assertThat(NotifySocket.of(Map.of("NOTIFY_SOCKET", "/" + "x".repeat(106)))).isPresent();
  }

  @Test
  void aMessageToNobodyFailsWithTheNameOfTheSocket() {
    String path = folder.resolve("nobody").toString();
    NotifySocket socket = NotifySocket.of(Map.of("NOTIFY_SOCKET", path)).orElseThrow();

    assertThatThrownBy(() -> socket.send("READY=1"))
        .isInstanceOf(IOException.class)
        .hasMessage("NOTIFY_SOCKET %s: sendto failed with error 2", path);
  }
}
