package io.coppice.replication.source;

import io.coppice.engine.AwaitedIo;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.range.MappedRange;
import io.coppice.replication.Member;
import io.coppice.replication.message.Checksums;
import io.coppice.replication.message.LinkMessage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// The content of one member's snapshot as messages, in ascending order: what differs from its
/// base, or all that is stored. A few reads are under way ahead of what is sent. For one thread.
final class SnapshotStream {

  /// Most pieces and holes that are looked for ahead.
  private static final int MOST_AHEAD = 64;

  /// Most bytes that are read ahead, beside one piece.
  private static final long AHEAD_BYTES = 8L << 20;

  private static final int RANGES = 256;
  private static final int RUNS = 256;

  private final StorageEngine engine;
  private final Member member;
  private final int index;
  private final Volume volume;
  private final Consumer<LinkMessage> receiver;
  private final Deque<Part> ahead = new ArrayDeque<>();
  private long aheadBytes;
  private long dataBytes;
  private long holeBytes;
  private long ranges;

  /// A piece of the content that is sent, in order.
  private sealed interface Part {

    /// Data that is being read.
    record Piece(long offset, ByteBuffer data, AwaitedIo end) implements Part {}

    /// A range that reads as zeros.
    record Hole(ByteRange range) implements Part {}
  }

  /// @param index of the member in its cycle
  /// @param receiver of the messages
  SnapshotStream(StorageEngine engine, Member member, int index, Consumer<LinkMessage> receiver) {
    this.engine = engine;
    this.member = member;
    this.index = index;
    this.receiver = receiver;
    volume = engine.open(member.snapshot());
  }

  /// Bytes of data that were sent.
  long dataBytes() {
    return dataBytes;
  }

  /// Bytes of holes that were sent.
  long holeBytes() {
    return holeBytes;
  }

  /// Ranges that differed.
  long ranges() {
    return ranges;
  }

  /// Sends everything from an offset on.
  ///
  /// @throws StorageException if the snapshot or its base cannot be read
  void send(long from) {
    try {
      DifferencePart.Place place = DifferencePart.Place.START;
      while (place != null) {
        DifferencePart part = engine.differences(member.snapshot(), member.base(), place, RANGES);
        for (ByteRange range : part.ranges()) {
          if (range.end() > from) {
            ranges++;
            send(Math.max(from, range.offset()), range.end());
          }
        }
        place = part.next();
      }
      while (!ahead.isEmpty()) {
        sendNext();
      }
    } finally {
      ahead.forEach(SnapshotStream::awaitEnd);
    }
  }

  /// The engine owns the buffer of a read until its end.
  private static void awaitEnd(Part part) {
    if (part instanceof Part.Piece(var _, var _, var end)) {
      end.await();
    }
  }

  private void send(long from, long end) {
    long at = from;
    while (at < end) {
      for (MappedRange run : volume.status(at, RUNS)) {
        long stop = Math.min(run.range().end(), end);
        if (stop <= at) {
          break;
        }
        if (run.mapped()) {
          read(at, stop);
        } else if (member.base() != null) {
          makeRoom();
          ahead.add(new Part.Hole(new ByteRange(at, stop - at)));
        }
        at = stop;
      }
    }
  }

  private void read(long from, long end) {
    for (long at = from; at < end; at += LinkMessage.MAX_DATA) {
      makeRoom();
      ByteBuffer data = ByteBuffer.allocate((int) Math.min(LinkMessage.MAX_DATA, end - at));
      AwaitedIo read = new AwaitedIo();
      volume.read(at, data.duplicate(), read);
      ahead.add(new Part.Piece(at, data, read));
      aheadBytes += data.remaining();
    }
  }

  private void makeRoom() {
    while (ahead.size() >= MOST_AHEAD || aheadBytes >= AHEAD_BYTES) {
      sendNext();
    }
  }

  private void sendNext() {
    switch (ahead.remove()) {
      case Part.Piece(var offset, var data, var end) -> {
        int length = data.remaining();
        aheadBytes -= length;
        StorageException failure = end.await();
        if (failure != null) {
          throw failure;
        }
        dataBytes += length;
        receiver.accept(new LinkMessage.Blocks(index, offset, Checksums.of(data), data));
      }
      case Part.Hole(var first) -> sendHoles(first);
    }
  }

  /// Sends a hole, and those that follow it directly.
  private void sendHoles(ByteRange first) {
    List<ByteRange> ranges = new ArrayList<>(List.of(first));
    while (ranges.size() < LinkMessage.MAX_RANGES && ahead.peek() instanceof Part.Hole(var next)) {
      ahead.remove();
      ranges.add(next);
    }
    holeBytes += ranges.stream().mapToLong(ByteRange::length).sum();
    receiver.accept(new LinkMessage.Holes(index, ranges));
  }
}
