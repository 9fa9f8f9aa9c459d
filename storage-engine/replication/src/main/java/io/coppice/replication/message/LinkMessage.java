package io.coppice.replication.message;

import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.replication.Cycle;
import io.coppice.replication.Place;
import io.coppice.replication.PoolName;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A message between two pools.
///
/// The source connects, and asks; the target answers. The source says [Hello] first. Then it asks
/// [AskReplicas] and [AskKnown] to learn from which base it can go on, says [Begin], sends [Blocks]
/// and [Holes] from the place that [Begun] names, in ascending order, and says [Commit]. The target
/// says [Progress] now and then, and [Failed] instead of any answer; a cycle that failed can be
/// begun again on the same connection. Between cycles the control planes talk by [Call] and
/// [Reply].
public sealed interface LinkMessage {

  /// Most snapshots that one question names.
  int MAX_KNOWN = 4096;

  /// Most ranges of one message.
  int MAX_RANGES = 256;

  /// Most bytes of data of one message: what one write may hold and stay atomic.
  int MAX_DATA = 1 << 20;

  /// Most characters of a control plane's text.
  int MAX_TEXT = 256 << 10;

  /// The source's first message: the versions of the protocol that it speaks, and who it is.
  record Hello(int lowest, int highest, PoolName pool) implements LinkMessage {}

  /// The target's answer: the version that both speak from now on.
  record Welcome(int version, PoolName pool) implements LinkMessage {}

  /// The question for the replicas of a group.
  record AskReplicas(UUID group) implements LinkMessage {}

  /// Their answer.
  ///
  /// @param replicas newest first, at most [#MAX_RANGES] of them
  /// @param begun id of the cycle that began and has not ended; null if none has
  record Replicas(List<Replica> replicas, @Nullable UUID begun) implements LinkMessage {
    public Replicas {
      replicas = List.copyOf(replicas);
    }
  }

  /// The question which of these snapshots the target has, whole.
  record AskKnown(List<VolumeId> snapshots) implements LinkMessage {
    public AskKnown {
      snapshots = List.copyOf(snapshots);
    }
  }

  /// Its answer.
  record Known(Set<VolumeId> snapshots) implements LinkMessage {
    public Known {
      snapshots = Set.copyOf(snapshots);
    }
  }

  /// The begin of a cycle, or its continuation.
  record Begin(Cycle cycle) implements LinkMessage {}

  /// Its answer: where the source goes on.
  record Begun(Place place) implements LinkMessage {}

  /// Data of a member.
  ///
  /// @param member index in the cycle's list
  /// @param offset in bytes, a multiple of 4096
  /// @param checksums CRC-32C of each block of 4096 bytes, the last of which may be shorter
  /// @param data 512 to [#MAX_DATA] bytes, a multiple of 512
  record Blocks(int member, long offset, List<Integer> checksums, ByteBuffer data)
      implements LinkMessage {
    public Blocks {
      checksums = List.copyOf(checksums);
    }
  }

  /// Ranges of a member that read as zeros: 1 to [#MAX_RANGES], ascending.
  record Holes(int member, List<ByteRange> ranges) implements LinkMessage {
    public Holes {
      ranges = List.copyOf(ranges);
    }
  }

  /// The place up to which everything is stable at the target.
  record Progress(Place place) implements LinkMessage {}

  /// The end of the data: the replica is to be made.
  record Commit(UUID cycle) implements LinkMessage {}

  /// Its answer: the replica is there, and stable.
  record Committed(UUID cycle) implements LinkMessage {}

  /// A question from one control plane to the other: its subject and a text that both agree on.
  ///
  /// @param text at most [#MAX_TEXT] characters
  record Call(String subject, String text) implements LinkMessage {
    public Call {
      requireBounded(text);
    }
  }

  /// Its answer.
  record Reply(String text) implements LinkMessage {
    public Reply {
      requireBounded(text);
    }
  }

  /// The answer that something failed, as a sentence.
  record Failed(ReplicationException.Reason reason, String sentence) implements LinkMessage {}

  private static void requireBounded(String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "expected a text of at most %d characters, got %d".formatted(MAX_TEXT, text.length()));
    }
  }

  /// A sign of life.
  record Idle() implements LinkMessage {}
}
