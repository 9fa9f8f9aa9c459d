package io.coppice.engine;

import java.time.Instant;

/// Stored data that is not as it was stored.
public sealed interface ScrubFinding {

  /// The time when it was found first.
  Instant found();

  /// One sentence for people.
  String sentence();

  /// A block of data that fails its checksum or cannot be read, as one volume or snapshot sees it.
  /// There is one finding for each of them. Reads of the block fail until it is written over.
  ///
  /// @param lba first of its 8 logical blocks of 512 bytes
  /// @param place where it is stored, for people
  /// @param reason the expected and the actual content
  record BadBlock(VolumeId volume, long lba, String place, String reason, Instant found)
      implements ScrubFinding {

    @Override
    public String sentence() {
      return "LBA %d to %d of volume %s are damaged in %s: %s."
          .formatted(lba, lba + 7, volume, place, reason);
    }
  }

  /// A block of data that was damaged on one device of a mirror, and was written anew from the
  /// other. Every read of it succeeds. Reported with one volume or snapshot that sees it.
  ///
  /// @param lba first of its 8 logical blocks of 512 bytes
  /// @param where on which device, as the end of a phrase
  record MendedBlock(VolumeId volume, long lba, String where, Instant found)
      implements ScrubFinding {

    @Override
    public String sentence() {
      return "LBA %d to %d of volume %s were damaged%s, and are written anew from the other one."
          .formatted(lba, lba + 7, volume, where);
    }
  }

  /// A damaged structure of the pool's own.
  ///
  /// @param what the structure and its place
  /// @param replaced whether nothing is left to do: it was written anew from its second copy, or
  ///   the pool no longer needs it, because there is another one elsewhere
  record BadMetadata(String what, boolean replaced, Instant found) implements ScrubFinding {

    @Override
    public String sentence() {
      return replaced
          ? "Found damaged and replaced: %s.".formatted(what)
          : "Damaged: %s.".formatted(what);
    }
  }
}
