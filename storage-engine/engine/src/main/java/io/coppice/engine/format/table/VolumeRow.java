package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import java.util.UUID;

/// A volume, and the version that it writes to.
///
/// @param family number of the volume that it goes back to
public record VolumeRow(int number, int family, int version, StoredVolume volume) {

  static final int LEAST = 60;

  /// The volume's id.
  public UUID id() {
    return volume.info().id().value();
  }

  /// The volume's size in bytes.
  public long sizeInBytes() {
    return volume.info().sizeInBytes();
  }

  void encode(ByteSink out) {
    out.u32(number).u32(family).u32(version);
    volume.encode(out);
  }

  static VolumeRow decode(ByteSource in) {
    return new VolumeRow(in.u32(), in.u32(), in.u32(), StoredVolume.decode(in));
  }
}
