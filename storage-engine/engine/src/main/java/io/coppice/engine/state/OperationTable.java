package io.coppice.engine.state;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.format.table.OperationRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The last operations and their results, oldest first. Committer only.
///
/// The attributes in remembered results are bounded: beyond [#MAX_ATTRIBUTE_BYTES] the oldest
/// results lose theirs.
public final class OperationTable {

  public static final int CAPACITY = OperationId.REMEMBERED + 1024;
  static final long MAX_ATTRIBUTE_BYTES = 16L << 20;

  private final LinkedHashMap<OperationId, OperationResult> results = new LinkedHashMap<>();
  private long attributeBytes;

  @Nullable
  public OperationResult find(OperationId id) {
    return results.get(id);
  }

  public void remember(OperationId id, OperationResult result) {
    results.put(id, result);
    attributeBytes += attributeBytes(result);
    if (results.size() > CAPACITY) {
      Iterator<OperationResult> oldest = results.values().iterator();
      attributeBytes -= attributeBytes(oldest.next());
      oldest.remove();
    }
    if (attributeBytes > MAX_ATTRIBUTE_BYTES) {
      dropAttributes();
    }
  }

  private void dropAttributes() {
    for (Map.Entry<OperationId, OperationResult> entry : results.entrySet()) {
      if (attributeBytes <= MAX_ATTRIBUTE_BYTES / 2) {
        return;
      }
      if (entry.getValue() instanceof OperationResult.Volumes(var volumes)) {
        attributeBytes -= attributeBytes(entry.getValue());
        entry.setValue(new OperationResult.Volumes(volumes.stream().map(v -> bare(v)).toList()));
      }
    }
  }

  private static VolumeInfo bare(VolumeInfo v) {
    return new VolumeInfo(
        v.id(), v.kind(), v.sizeInBytes(), v.origin(), v.reserved(), v.created(), Map.of());
  }

  private static long attributeBytes(OperationResult result) {
    long bytes = 0;
    if (result instanceof OperationResult.Volumes(var volumes)) {
      for (VolumeInfo volume : volumes) {
        for (Map.Entry<String, String> entry : volume.attributes().entrySet()) {
          bytes += entry.getKey().length() + entry.getValue().length();
        }
      }
    }
    return bytes;
  }

  /// All operations, for a checkpoint.
  public List<OperationRow> all() {
    List<OperationRow> all = new ArrayList<>(results.size());
    results.forEach((id, result) -> all.add(new OperationRow(id, result)));
    return all;
  }
}
