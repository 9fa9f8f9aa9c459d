package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import java.util.List;

/// The table of accounts of a checkpoint: what each version holds alone.
public record AccountTable(List<Row> rows) {

  /// The account of a version.
  ///
  /// @param own its own entries
  /// @param counted at most how many of those are of counted blocks
  /// @param hidden by the account that they are of
  public record Row(int version, long own, long counted, List<Hidden> hidden) {

    private static final int LEAST = 24;

    private void encode(ByteSink out) {
      out.u32(version).u64(own).u64(counted).list(hidden, Hidden::encode);
    }

    private static Row decode(ByteSource in) {
      return new Row(in.u32(), in.u64(), in.u64(), in.list(Hidden.LENGTH, Hidden::decode));
    }
  }

  /// Hidden entries of one account above.
  public record Hidden(int above, long entries) {

    private static final int LENGTH = 12;

    private void encode(ByteSink out) {
      out.u32(above).u64(entries);
    }

    private static Hidden decode(ByteSource in) {
      return new Hidden(in.u32(), in.u64());
    }
  }

  void encode(ByteSink out) {
    out.list(rows, Row::encode);
  }

  static AccountTable decode(ByteSource in) {
    return new AccountTable(in.list(Row.LEAST, Row::decode));
  }
}
