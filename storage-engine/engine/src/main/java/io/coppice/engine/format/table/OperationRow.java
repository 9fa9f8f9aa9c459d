package io.coppice.engine.format.table;

import io.coppice.engine.OperationId;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;

/// A remembered operation.
public record OperationRow(OperationId id, OperationResult result) {

  static final int LEAST = 17;

  void encode(ByteSink out) {
    out.uuid(id.value());
    result.encode(out);
  }

  static OperationRow decode(ByteSource in) {
    return new OperationRow(new OperationId(in.uuid()), OperationResult.decode(in));
  }
}
