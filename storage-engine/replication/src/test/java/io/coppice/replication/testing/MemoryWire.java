package io.coppice.replication.testing;

import io.coppice.replication.link.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/// A connection in memory whose two directions can fail on purpose.
public final class MemoryWire {

  private static final int MOST_BYTES = 256 << 10;

  private final Pipe toTarget = new Pipe();
  private final Pipe toSource = new Pipe();
  private volatile Runnable power = () -> {};

  /// What happens to a direction once some bytes have passed.
  public enum Fault {
    /// Both ends see the connection closed.
    DROP,
    /// The end that sends sees it closed; the other one sees nothing more.
    HALF_OPEN,
    /// What is sent in this direction is lost; the other direction works.
    ONE_WAY,
    /// Nothing moves in this direction any more, and nothing is lost.
    STALL,
    /// Nothing moves in this direction for a moment.
    DELAY,
    /// The power of a pool is lost: what a test does then.
    POWER
  }

  public Transport source() {
    return new End(toSource, toTarget);
  }

  public Transport target() {
    return new End(toTarget, toSource);
  }

  /// Lets a direction fail.
  ///
  /// @param towardsTarget the direction
  /// @param after bytes that pass before
  public void fail(boolean towardsTarget, long after, Fault fault) {
    (towardsTarget ? toTarget : toSource).fail(after, fault);
  }

  /// As the other: the power fails.
  public void failPower(boolean towardsTarget, long after, Runnable loss) {
    power = loss;
    fail(towardsTarget, after, Fault.POWER);
  }

  private final class End implements Transport {
    private final Pipe from;
    private final Pipe into;

    End(Pipe from, Pipe into) {
      this.from = from;
      this.into = into;
    }

    @Override
    public InputStream in() {
      return from.in;
    }

    @Override
    public OutputStream out() {
      return into.out;
    }

    @Override
    public void close() {
      from.close();
      into.close();
    }
  }

  private void closeBoth() {
    toTarget.close();
    toSource.close();
  }

  /// One direction.
  private final class Pipe {
    private final Deque<byte[]> bytes = new ArrayDeque<>(); // all under `this`
    private int first; // of the first array, read already
    private long held;
    private long left = Long.MAX_VALUE;
    private Fault fault = Fault.DELAY;
    private boolean isClosed;
    private boolean isStalled;
    private boolean isLossy;
    private boolean isDead; // for the end that sends

    final InputStream in =
        new InputStream() {
          @Override
          public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return Pipe.this.read(into, offset, length);
          }
        };

    final OutputStream out =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
          }

          @Override
          public void write(byte[] from, int offset, int length) throws IOException {
            Pipe.this.write(from, offset, length);
          }
        };

    synchronized void fail(long after, Fault chosen) {
      left = after;
      fault = chosen;
    }

    synchronized void close() {
      isClosed = true;
      notifyAll();
    }

    private synchronized int read(byte[] into, int offset, int length) throws IOException {
      while (!isClosed && (bytes.isEmpty() || isStalled)) {
        await();
      }
      if (isClosed) {
        return -1;
      }
      byte[] next = bytes.getFirst();
      int count = Math.min(length, next.length - first);
      System.arraycopy(next, first, into, offset, count);
      first += count;
      held -= count;
      if (first == next.length) {
        bytes.removeFirst();
        first = 0;
      }
      notifyAll();
      return count;
    }

    private void write(byte[] from, int offset, int length) throws IOException {
      Fault now = null;
      synchronized (this) {
        while (!isClosed && !isDead && held >= MOST_BYTES) {
          await();
        }
        if (isClosed || isDead) {
          throw new IOException("closed");
        }
        int passes = (int) Math.min(length, left);
        if (left < Long.MAX_VALUE) {
          left -= passes;
        }
        if (passes > 0 && !isLossy) {
          byte[] copy = new byte[passes];
          System.arraycopy(from, offset, copy, 0, passes);
          bytes.add(copy);
          held += passes;
          notifyAll();
        }
        if (passes < length) {
          now = fault;
          left = Long.MAX_VALUE;
          apply(now);
        }
        if (now == null) {
          return;
        }
        length -= passes;
        offset += passes;
      }
      finish(now, from, offset, length);
    }

    private void apply(Fault now) {
      switch (now) {
        case DROP, DELAY, POWER -> {}
        case HALF_OPEN -> {
          isDead = true;
          isLossy = true;
        }
        case ONE_WAY -> isLossy = true;
        case STALL -> isStalled = true;
      }
    }

    private void finish(Fault now, byte[] from, int offset, int length) throws IOException {
      if (now == Fault.DROP) {
        closeBoth();
      } else if (now == Fault.DELAY) {
        pause();
      } else if (now == Fault.POWER) {
        power.run();
      }
      write(from, offset, length);
    }

    private static void pause() throws IOException {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    private void await() throws IOException {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
