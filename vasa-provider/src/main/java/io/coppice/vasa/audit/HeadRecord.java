package io.coppice.vasa.audit;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.util.List;
import java.util.Optional;

/// The head of the chain as the pool keeps it: `control/audit` is a version, the number of the last
/// entry and its hash, with spaces between.
public final class HeadRecord {

  /// Key of the pool's record.
  public static final String KEY = "control/audit";

  private static final String FORM = "1";
  private static final int PARTS = 3;

  private final PoolRecords records;

  public HeadRecord(PoolRecords records) {
    this.records = records;
  }

  /// @return empty if there is none, or one that cannot be read, which counts as none
  Optional<ChainHead> find() {
    return records.find(KEY).flatMap(HeadRecord::parse);
  }

  private static Optional<ChainHead> parse(String text) {
    String[] parts = text.split(" ", -1);
    try {
      return parts.length == PARTS && parts[0].equals(FORM)
          ? Optional.of(new ChainHead(Long.parseLong(parts[1]), new ChainHash(parts[2])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// Stable on return.
  ///
  /// @throws io.coppice.engine.StorageException if the pool fails
  void put(ChainHead head) {
    String text = String.join(" ", FORM, Long.toString(head.seq()), head.hash().hex());
    records.apply(OperationId.random(), List.of(new RecordChange.Put(KEY, text)));
  }
}
