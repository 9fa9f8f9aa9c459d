package io.coppice.it;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A service manager's end of `NOTIFY_SOCKET`, by an abstract name, which every folder of this
/// machine can reach.
final class NotifyListener implements AutoCloseable {

  private final String name = "coppice-" + UUID.randomUUID();
  private final MultiThreadIoEventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final Channel channel;

  NotifyListener() {
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
            .bind(new DomainSocketAddress("\0" + name))
            .syncUninterruptibly()
            .channel();
  }

  /// The value of `NOTIFY_SOCKET`.
  String address() {
    return "@" + name;
  }

  /// Every message up to the first one that begins so, or up to the end of the time.
  List<String> upTo(String begin, Duration most) throws InterruptedException {
    List<String> heard = new ArrayList<>();
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      String message = messages.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (message == null) {
        return heard;
      }
      heard.add(message);
      if (message.startsWith(begin)) {
        return heard;
      }
    }
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
