package io.coppice.engine.device;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads of one thread that a device works on at the same time: many are begun, and the first to
/// end are waited for, in one step. For the thread that opened it alone.
public interface ReadQueue extends AutoCloseable {

  /// One read. Its memory belongs to the device from [#add] until [#ended].
  abstract class Piece {

    private static final ByteBuffer NO_MEMORY = ByteBuffer.allocateDirect(0);

    private ByteBuffer into = NO_MEMORY;
    private long offset;
    private int start;
    private int length;

    /// To be called before [ReadQueue#add]; the position of the buffer means nothing.
    ///
    /// @param offset in the device, a multiple of the block size
    /// @param start in the buffer
    /// @param length a multiple of the block size, up to the limit of the buffer at most
    protected final void set(long offset, ByteBuffer into, int start, int length) {
      this.offset = offset;
      this.into = into;
      this.start = start;
      this.length = length;
    }

    public final long offset() {
      return offset;
    }

    public final ByteBuffer into() {
      return into;
    }

    public final int start() {
      return start;
    }

    public final int length() {
      return length;
    }

    /// It is over. Throws nothing.
    ///
    /// @param failure why it could not be read in full; null if it was
    public abstract void ended(@Nullable DeviceException failure);
  }

  /// Reads that may be added now.
  int room();

  /// Whether every read has ended.
  boolean isEmpty();

  /// Takes a read; [#await] begins it.
  ///
  /// @throws IllegalStateException if there is no room
  void add(Piece piece);

  /// Begins what was added, waits until at least one read has ended unless there is none, and tells
  /// each that has.
  void await();

  /// Whether a queue still gains anything over [BlockDevice#read]. If not, it does its work all the
  /// same.
  boolean isUseful();

  /// Waits for the end of all reads, and tells them.
  @Override
  void close();
}
