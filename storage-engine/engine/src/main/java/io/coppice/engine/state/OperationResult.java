package io.coppice.engine.state;

import io.coppice.engine.VolumeInfo;
import java.util.List;

/// The result of a changing call, kept so that a repeat returns it again.
public sealed interface OperationResult {

  record Done() implements OperationResult {}

  record Volumes(List<VolumeInfo> volumes) implements OperationResult {

    public Volumes {
      volumes = List.copyOf(volumes);
    }
  }

  record Bytes(long bytes) implements OperationResult {}
}
