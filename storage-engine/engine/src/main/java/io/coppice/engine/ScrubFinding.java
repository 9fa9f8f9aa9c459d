package io.coppice.engine;

import java.time.Instant;

/// Something stored that is not what was stored.
public sealed interface ScrubFinding {

  /// When it was found first.
  Instant found();

  /// One sentence for people.
  String sentence();

  /// A block of data that fails its checksum or cannot be read, as one volume or snapshot sees it;
  /// there is one finding for each that does. Reads of it fail until it is written over.
  ///
  /// @param lba first of its 8 logical blocks of 512 bytes
  /// @param place where it is stored, for people
  /// @param reason what was expected and what came
  record BadBlock(VolumeId volume, long lba, String place, String reason, Instant found)
      implements ScrubFinding {

    @Override
    public String sentence() {
      return "LBA %d to %d of volume %s are damaged in %s: %s."
          .formatted(lba, lba + 7, volume, place, reason);
    }
  }

  /// A block of data that was damaged on one device of a mirror, and was written anew from the
  /// other one. Every read of it succeeds. Told with one volume or snapshot that sees it.
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

  /// A structure of the pool's own that is damaged.
  ///
  /// @param what which one, and where
  /// @param replaced whether nothing is left to be done: it was written anew from its second copy,
  ///   or the pool has stopped needing it, because there is another one elsewhere
  record BadMetadata(String what, boolean replaced, Instant found) implements ScrubFinding {

    @Override
    public String sentence() {
      return replaced
          ? "Found damaged and replaced: %s.".formatted(what)
          : "Damaged: %s.".formatted(what);
    }
  }
}
