package io.coppice.engine;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.MappedRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// The data of one volume or snapshot.
///
/// Any number of I/Os may be outstanding, from any threads. Two that overlap are done one after the
/// other in the order of their calls if one of them is a compare-and-write, a copy destination or
/// not aligned to 4 KiB. Other overlapping writes end in *some* order, the same for every later
/// read. A read that begins after a write completed sees that write. A method that takes a buffer
/// owns it until completion and uses `remaining()` bytes of it from its position. Offsets and
/// lengths are in bytes, multiples of 512, inside the volume.
///
/// Bad arguments are reported through the completion as [StorageException.InvalidRequest], writes
/// to a snapshot as [StorageException.ReadOnly], a deleted volume as [StorageException.NotFound].
public interface Volume {

  VolumeId id();

  VolumeKind kind();

  /// Current size; changes by resize and revert.
  long sizeInBytes();

  /// Whether space for every block is set aside ("thick") now; changes by [StorageEngine#reserve].
  boolean isReserved();

  /// Current attributes: the same object until they change, so that a check for changes costs
  /// nothing.
  Map<String, String> attributes();

  /// Fills `into`; ranges without stored data are zeros. Every byte was verified against its
  /// checksum. On failure the buffer's content is undefined, its position unchanged; on success it
  /// is advanced.
  void read(long offset, ByteBuffer into, Completion completion);

  /// Completes when the bytes are stable. A write of up to 1 MiB is atomic over a crash; a longer
  /// one may be cut at a multiple of 4 KiB. Whole blocks of 4 KiB that are all zeros are not
  /// stored: the range is as after [#writeZeroes], and needs no space.
  void write(long offset, ByteBuffer from, Completion completion);

  /// As [#read(long, ByteBuffer, Completion)], for a thread that lends itself for one transfer, and
  /// that nothing else waits for. The engine may read the device on it before it returns, which
  /// saves two hand-overs. It waits for nothing else.
  default void readHere(long offset, ByteBuffer into, Completion completion) {
    read(offset, into, completion);
  }

  /// As [#write(long, ByteBuffer, Completion)], for a thread that lends itself as in [#readHere]:
  /// the engine may commit on it if nothing else is under way.
  default void writeHere(long offset, ByteBuffer from, Completion completion) {
    write(offset, from, completion);
  }

  /// As [#read(long, ByteBuffer, Completion)], and returns at its end: for a thread that may block,
  /// never for an event loop or a completion. The engine may do the work on it, which saves the
  /// hand-over when nothing else is under way.
  ///
  /// @throws StorageException that the completion would be told
  default void read(long offset, ByteBuffer into) {
    AwaitedIo end = new AwaitedIo();
    read(offset, into, end);
    end.awaitSuccess();
  }

  /// As [#write(long, ByteBuffer, Completion)], and returns at its end: for a thread that may
  /// block, as in [#read(long, ByteBuffer)].
  ///
  /// @throws StorageException that the completion would be told
  default void write(long offset, ByteBuffer from) {
    AwaitedIo end = new AwaitedIo();
    write(offset, from, end);
    end.awaitSuccess();
  }

  /// Repeats `block` over the range. `length` is a multiple of the block's `remaining()`, 512 to
  /// 4096. An all-zero block leaves nothing stored.
  void writeSame(long offset, long length, ByteBuffer block, Completion completion);

  /// Makes the range read as zeros from now on; nothing is stored for the whole 4 KiB blocks inside
  /// it.
  void writeZeroes(long offset, long length, Completion completion);

  /// As [#writeZeroes]: an unmapped range reads as zeros.
  void unmap(long offset, long length, Completion completion);

  /// As [#unmap(long, long, Completion)], for several ranges in any order, which may overlap, be
  /// empty or none. Together they cost about as much as one. Ends once. If one range is not inside
  /// the volume, the call is refused and changes nothing. After a crash, either all whole blocks of
  /// 4 KiB of up to 256 ranges that do not adjoin are unmapped, or none; of a volume with a
  /// journal, those of 64 MiB of one range.
  void unmap(List<ByteRange> ranges, Completion completion);

  /// Compares the stored bytes with `expected` and, if they are equal, writes `replacement` (of the
  /// same length, at most 1 MiB): atomic against every other I/O on the range and over a crash.
  void compareAndWrite(
      long offset, ByteBuffer expected, ByteBuffer replacement, CompareCompletion completion);

  /// Copies `length` bytes of `source` at `sourceOffset` to `offset` of this volume: by pointer if
  /// both are congruent modulo 4 KiB, byte by byte at the ragged ends. The source range is read at
  /// one point in time per slice of 4 MiB. Source and destination may be the same volume if the
  /// ranges do not overlap.
  void copyFrom(Volume source, long sourceOffset, long offset, long length, Completion completion);

  /// Provisioning state from `offset` on, as runs that alternate, at most `maxRuns` of them and not
  /// beyond the end of the volume. An engine may stop earlier, inside a run, so that no call takes
  /// long. Its answer is right, and has at least one run if `offset` is not at the end.
  List<MappedRange> status(long offset, int maxRuns);
}
