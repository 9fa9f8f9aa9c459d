package io.coppice.engine.format;

import java.util.ArrayList;
import java.util.List;

/// The table of accounts of a checkpoint: what each version holds alone.
public record AccountTable(List<Row> rows) {

  private static final int LEAST_ROW = 24;
  private static final int HIDDEN_BYTES = 12;

  /// @param version whose account it is
  /// @param own its own entries
  /// @param counted at most how many of those are of counted blocks
  /// @param hidden by the account that they are of
  public record Row(int version, long own, long counted, List<Hidden> hidden) {}

  /// Hidden entries of one account above.
  public record Hidden(int above, long entries) {}

  public void encode(ByteSink out) {
    out.u32(rows.size());
    for (Row row : rows) {
      out.u32(row.version).u64(row.own).u64(row.counted).u32(row.hidden.size());
      row.hidden.forEach(hidden -> out.u32(hidden.above).u64(hidden.entries));
    }
  }

  /// @throws FormatException if a number cannot be
  public static AccountTable decode(ByteSource in) {
    List<Row> rows = new ArrayList<>();
    for (int n = in.count(LEAST_ROW); n > 0; n--) {
      int version = in.u32();
      long own = in.u64();
      long counted = in.u64();
      List<Hidden> hidden = new ArrayList<>();
      for (int m = in.count(HIDDEN_BYTES); m > 0; m--) {
        hidden.add(new Hidden(in.u32(), in.u64()));
      }
      if (own < 0 || counted < 0 || hidden.stream().anyMatch(row -> row.entries < 0)) {
        throw new FormatException("expected numbers of entries, found less than 0");
      }
      rows.add(new Row(version, own, counted, hidden));
    }
    return new AccountTable(rows);
  }
}
