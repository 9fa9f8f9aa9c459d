package io.coppice.replication.link;

import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.message.LinkMessage;
import io.coppice.replication.message.MessageCodec;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A link to another pool that carries whole messages.
///
/// Each message is framed by its length (4 bytes), its number in this direction (4), from 0, and a
/// CRC-32C (4) of the number and the message. So a message that comes twice, in another order, or
/// changed ends the link, whatever carries it. An end that has nothing to say shows a sign of life
/// every quarter of the allowed silence; an end that says nothing for longer, or takes nothing, is
/// given up.
///
/// One thread receives; any thread may send. After the first failure, or [#close], every call
/// fails.
public final class Link implements AutoCloseable {

  private static final int HEADER = 12;

  /// Most bytes of a message: data, checksums and fields, or 256 members with their attributes.
  private static final int MAX_MESSAGE = 24 << 20;

  private static final int PIECE = 64 << 10;

  private final Transport transport;
  private final LinkSettings settings;
  private final Pace pace;
  private final MessageCodec codec;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicReference<@Nullable ReplicationException> end = new AtomicReference<>();
  private final AtomicLong sentBytes = new AtomicLong();
  private final AtomicLong receivedBytes = new AtomicLong();
  private final Clock reads = new Clock();
  private final Clock writes = new Clock();
  private final Thread watch;
  private final Thread life;
  private int nextSent; // under `sending`
  private int nextReceived; // of the receiving thread
  private volatile long lastSent = System.nanoTime();

  /// The time since which a thread has been waiting for the other end.
  private static final class Clock {
    private volatile boolean waits;
    private volatile long since;

    void begin() {
      since = System.nanoTime();
      waits = true;
    }

    void end() {
      waits = false;
    }

    boolean isOver(Duration limit) {
      return waits && System.nanoTime() - since > limit.toNanos();
    }
  }

  /// @param pace of the data that is sent
  public Link(Transport transport, LinkSettings settings, Pace pace) {
    this.transport = transport;
    this.settings = settings;
    this.pace = pace;
    codec = new MessageCodec(settings.compresses());
    watch = Thread.ofVirtual().name("link-watch").start(this::watch);
    life = Thread.ofVirtual().name("link-life").start(this::showLife);
  }

  /// Bytes sent until now, with their frames, after compression.
  public long sentBytes() {
    return sentBytes.get();
  }

  /// Bytes received until now, with their frames, before decompression.
  public long receivedBytes() {
    return receivedBytes.get();
  }

  public boolean isOpen() {
    return end.get() == null;
  }

  /// Sends a message. It has not arrived when this returns; data may wait for the next message that
  /// is none, or for a sign of life.
  ///
  /// @throws ReplicationException (UNREACHABLE) if the link is broken or closed
  public void send(LinkMessage message) {
    requireOpen();
    ByteBuffer body = codec.encode(message);
    try {
      pace.take(HEADER + body.remaining());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw broken("The sender was interrupted.", e);
    }
    sending.lock();
    try {
      write(body, !isData(message));
    } finally {
      sending.unlock();
    }
  }

  private static boolean isData(LinkMessage message) {
    return message instanceof LinkMessage.Blocks || message instanceof LinkMessage.Holes;
  }

  private void write(ByteBuffer body, boolean flushes) {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header.putInt(body.remaining()).putInt(nextSent).putInt(checksum(nextSent, body)).flip();
    nextSent++;
    try {
      write(header.array(), header.remaining());
      write(body.array(), body.remaining());
      if (flushes) {
        writes.begin();
        transport.out().flush();
      }
    } catch (IOException e) {
      throw broken("The link broke while a message was sent: " + e.getMessage(), e);
    } finally {
      writes.end();
    }
    lastSent = System.nanoTime();
  }

  private void write(byte[] bytes, int length) throws IOException {
    for (int at = 0; at < length; at += PIECE) {
      int count = Math.min(PIECE, length - at);
      writes.begin();
      transport.out().write(bytes, at, count);
      sentBytes.addAndGet(count);
    }
  }

  private static int checksum(int number, ByteBuffer body) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(4).putInt(number).flip());
    crc.update(body.duplicate());
    return (int) crc.getValue();
  }

  /// The next message that is no sign of life. Waits for it.
  ///
  /// @throws ReplicationException (UNREACHABLE) if the link is broken or closed; (DAMAGED) if what
  ///   came is no message or not the next one. The link is closed then.
  public LinkMessage receive() {
    LinkMessage message = receiveAny();
    while (message instanceof LinkMessage.Idle) {
      message = receiveAny();
    }
    return message;
  }

  private LinkMessage receiveAny() {
    requireOpen();
    try {
      ByteBuffer header = read(HEADER);
      int length = header.getInt();
      int number = header.getInt();
      int checksum = header.getInt();
      if (length < 1 || length > MAX_MESSAGE) {
        throw damaged("Expected a message of 1 to %d bytes, found %d.", MAX_MESSAGE, length);
      }
      if (number != nextReceived) {
        throw damaged("Expected message %d of the link, found %d.", nextReceived, number);
      }
      ByteBuffer body = read(length);
      int found = checksum(number, body);
      if (found != checksum) {
        throw damaged("Expected a message with checksum %08x, found %08x.", checksum, found);
      }
      nextReceived++;
      return codec.decode(body);
    } catch (IOException e) {
      throw broken("The link broke while a message was received: " + e.getMessage(), e);
    } catch (ReplicationException e) {
      giveUp(e);
      throw e;
    }
  }

  private static ReplicationException damaged(String format, Object... arguments) {
    return new ReplicationException(Reason.DAMAGED, format.formatted(arguments));
  }

  private ByteBuffer read(int count) throws IOException {
    byte[] bytes = new byte[Math.min(count, PIECE)];
    int filled = 0;
    while (filled < count) {
      if (filled == bytes.length) {
        // It grows with what comes, so that a length alone costs no memory.
        bytes = Arrays.copyOf(bytes, (int) Math.min(count, 2L * bytes.length));
      }
      reads.begin();
      int more = transport.in().read(bytes, filled, bytes.length - filled);
      reads.end();
      if (more < 0) {
        throw new EOFException("the other end closed it");
      }
      filled += more;
      receivedBytes.addAndGet(more);
    }
    return ByteBuffer.wrap(bytes, 0, count);
  }

  private void requireOpen() {
    ReplicationException reason = end.get();
    if (reason != null) {
      throw new ReplicationException(reason.reason(), reason.sentence(), reason);
    }
  }

  private ReplicationException broken(String sentence, Exception cause) {
    ReplicationException reason = new ReplicationException(Reason.UNREACHABLE, sentence, cause);
    giveUp(reason);
    ReplicationException first = end.get();
    return first == null ? reason : first;
  }

  private void giveUp(ReplicationException reason) {
    if (end.compareAndSet(null, reason)) {
      transport.close();
      watch.interrupt();
      life.interrupt();
    }
  }

  private void watch() {
    while (isOpen() && sleeps(4)) {
      if (reads.isOver(settings.silence())) {
        giveUpSilent("said nothing");
      } else if (writes.isOver(settings.silence())) {
        giveUpSilent("took nothing");
      }
    }
  }

  private void giveUpSilent(String what) {
    giveUp(
        new ReplicationException(
            Reason.UNREACHABLE,
            "The other end of the link %s for %d ms, so it was given up."
                .formatted(what, settings.silence().toMillis())));
  }

  private void showLife() {
    while (isOpen() && sleeps(8)) {
      boolean isDue = System.nanoTime() - lastSent > settings.silence().toNanos() / 4;
      if (isDue && sending.tryLock()) {
        try {
          write(codec.encode(new LinkMessage.Idle()), true);
        } catch (ReplicationException e) {
          return; // the link is closed, with this reason
        } finally {
          sending.unlock();
        }
      }
    }
  }

  private boolean sleeps(int parts) {
    try {
      Thread.sleep(settings.silence().dividedBy(parts));
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    giveUp(new ReplicationException(Reason.UNREACHABLE, "The link was closed at this end."));
  }
}
