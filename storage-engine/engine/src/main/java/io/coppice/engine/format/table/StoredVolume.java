package io.coppice.engine.format.table;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.time.Instant;
import java.util.UUID;

/// A volume as the tables of a checkpoint have it.
public record StoredVolume(VolumeInfo info, Role role) {

  private static final int WRITABLE = 0;
  private static final int SNAPSHOT = 1;
  private static final int STAGE = 2;
  private static final int HIDDEN = 3;

  /// The part that a volume has in the pool.
  public enum Role {
    /// A volume or snapshot that callers see.
    LISTED,
    /// A hidden version of a volume.
    STAGE,
    /// A volume of the pool's own, of a journal.
    HIDDEN
  }

  void encode(ByteSink out) {
    VolumeId origin = info.origin();
    out.uuid(info.id().value())
        .u8(kind())
        .u64(info.sizeInBytes())
        .flag(origin != null)
        .uuid(origin == null ? new UUID(0, 0) : origin.value())
        .flag(info.reserved())
        .u64(info.created().toEpochMilli())
        .texts(info.attributes());
  }

  private int kind() {
    return switch (role) {
      case LISTED -> info.kind() == VolumeKind.SNAPSHOT ? SNAPSHOT : WRITABLE;
      case STAGE -> STAGE;
      case HIDDEN -> HIDDEN;
    };
  }

  private static Role role(int kind) {
    return switch (kind) {
      case STAGE -> Role.STAGE;
      case HIDDEN -> Role.HIDDEN;
      default -> Role.LISTED;
    };
  }

  /// @throws FormatException if it is not a volume
  static StoredVolume decode(ByteSource in) {
    VolumeId id = new VolumeId(in.uuid());
    int kind = in.u8();
    if (kind < WRITABLE || kind > HIDDEN) {
      throw new FormatException("expected a kind of volume 0 to 3, found " + kind);
    }
    long size = in.u64();
    boolean hasOrigin = in.flag();
    UUID origin = in.uuid();
    boolean reserved = in.flag();
    Instant created = Instant.ofEpochMilli(in.u64());
    VolumeInfo info =
        new VolumeInfo(
            id,
            kind == SNAPSHOT ? VolumeKind.SNAPSHOT : VolumeKind.WRITABLE,
            size,
            hasOrigin ? new VolumeId(origin) : null,
            reserved,
            created,
            in.texts());
    return new StoredVolume(info, role(kind));
  }
}
