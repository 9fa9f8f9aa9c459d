package io.coppice.iscsi.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The look at what a peer takes of its output, at regular times. Belongs to the connection's event
/// loop; costs nothing between two looks.
///
/// Bytes count when the peer's TCP has acknowledged them (`tcpi_bytes_acked` of `TCP_INFO`, Linux
/// 4.1). The kernel buffers bytes for a slow peer, and that would hide for minutes whether it takes
/// any. Where the kernel does not tell, the bytes that it has taken from us count.
public final class OutputWatch {

  /// The number of looks in the time that a peer has.
  public static final int LOOKS = 4;

  /// The least that a peer takes in that time, in bytes, if there is as much: a byte now and then
  /// shall not keep the rest in memory.
  static final int LEAST = 64 << 10;

  /// `getsockopt(IPPROTO_TCP, TCP_INFO)`, up to the field that is read.
  private static final RawUnixChannelOption TCP_INFO =
      new RawUnixChannelOption("TCP_INFO", 6, 11, 128);

  private static final int BYTES_ACKED = 120;

  private final Channel channel;
  private int looks; // since the mark, with output waiting each time; 0 without a mark
  private long mark;
  private long remains;

  OutputWatch(Channel channel) {
    this.channel = channel;
  }

  /// Whether output waits in our memory.
  boolean isWaiting() {
    ChannelOutboundBuffer output = channel.unsafe().outboundBuffer();
    return output != null && output.totalPendingWriteBytes() > 0;
  }

  /// Looks.
  ///
  /// @return whether the peer's time is over
  boolean look() {
    if (!isWaiting()) {
      looks = 0;
      return false;
    }
    if (looks > 0 && !hasTakenEnough()) {
      looks++;
      return looks > LOOKS;
    }
    looks = 1;
    mark = bytesAcked();
    remains = remains();
    return false;
  }

  /// Whether it has acknowledged [#LEAST] bytes since another look. It cannot answer what it has
  /// not heard yet.
  boolean isTaking(long ackedThen) {
    long acked = bytesAcked();
    return acked > 0 && acked - ackedThen >= LEAST;
  }

  /// Bytes that the peer has acknowledged since the connection began; 0 if that is not known.
  long bytesAcked() {
    ByteBuffer info;
    try {
      info = channel.isOpen() ? channel.config().getOption(TCP_INFO) : null;
    } catch (ChannelException notHere) {
      return 0; // a kernel, or a sandbox, without it
    }
    return info == null || info.remaining() < BYTES_ACKED + Long.BYTES
        ? 0
        : info.order(ByteOrder.nativeOrder()).getLong(BYTES_ACKED);
  }

  private boolean hasTakenEnough() {
    return mark > 0 ? bytesAcked() - mark >= LEAST : remains() < remains;
  }

  /// The output that the kernel has not taken yet, in bytes.
  private long remains() {
    ChannelOutboundBuffer output = channel.unsafe().outboundBuffer();
    return output == null ? 0 : output.totalPendingWriteBytes() - output.currentProgress();
  }
}
