package io.coppice.vasa.history.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// The form of a record: what its words mean, and how those of several slots become one.
///
/// A record belongs to a key of 64 bits: its form in the two lowest, and part of a digest of what
/// it is about in the others. So a key needs no list of objects that could be lost. With a million
/// objects the chance that any two have one key is some 10^-7.
public enum Form {

  /// What hosts read and wrote; words of [Scale], see the constants of [Record].
  TRAFFIC,

  /// A change of a volume's space; words of [Scale] in KiB: what is stored and what is unique after
  /// it, and both before it.
  SPACE_CHANGE,

  /// Space as three exact numbers of bytes, in four words each.
  EXACT_SPACE;

  private static final int BITS = 2;

  /// The key of an object's records in this form.
  ///
  /// @param object its kind and id
  public long key(String object) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(object.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong() << BITS | ordinal();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static Form of(long key) {
    int ordinal = (int) (key & (1 << BITS) - 1);
    return values()[Math.min(ordinal, values().length - 1)];
  }

  /// One record for several slots.
  ///
  /// @param parts those that there are, in their order
  /// @param millis covered by each
  /// @param all milliseconds covered by all slots, also those in which the object was idle
  short[] join(List<short[]> parts, List<Integer> millis, long all) {
    return switch (this) {
      case TRAFFIC -> Record.joinTraffic(parts, millis, all);
      case SPACE_CHANGE -> Record.joinChanges(parts.getFirst(), parts.getLast());
      case EXACT_SPACE -> parts.getLast().clone();
    };
  }
}
