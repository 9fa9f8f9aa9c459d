package io.coppice.engine.format.table;

import io.coppice.engine.VolumeInfo;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import java.util.List;

/// The result of a changing call, kept so that a repeat returns it again.
public sealed interface OperationResult {

  record Done() implements OperationResult {}

  record Volumes(List<VolumeInfo> volumes) implements OperationResult {

    private static final int LEAST = 48;

    public Volumes {
      volumes = List.copyOf(volumes);
    }
  }

  record Bytes(long bytes) implements OperationResult {}

  /// Writes the kind of result and its fields.
  default void encode(ByteSink out) {
    switch (this) {
      case Done _ -> out.u8(0);
      case Volumes(var volumes) ->
          out.u8(1)
              .list(
                  volumes,
                  (volume, to) -> new StoredVolume(volume, StoredVolume.Role.LISTED).encode(to));
      case Bytes(var bytes) -> out.u8(2).u64(bytes);
    }
  }

  /// @throws FormatException if it is not a result
  static OperationResult decode(ByteSource in) {
    int kind = in.u8();
    return switch (kind) {
      case 0 -> new Done();
      case 1 -> new Volumes(in.list(Volumes.LEAST, each -> StoredVolume.decode(each).info()));
      case 2 -> new Bytes(in.u64());
      default -> throw new FormatException("expected a result of kind 0 to 2, found " + kind);
    };
  }
}
