package io.coppice.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordTableTest {

  private static final int LONGEST_KEY = 512;

  private final RecordTable table = new RecordTable();

  @Test
  void recordsWithoutAValueCountWithTheirKeys() {
    int most = (int) (RecordTable.MAX_TOTAL_BYTES / LONGEST_KEY);
    put(0, most, "");

    assertThatThrownBy(() -> table.check(List.of(record(most, ""))))
        .isInstanceOf(StorageException.InvalidRequest.class)
        .hasMessageContaining("of records, got " + (RecordTable.MAX_TOTAL_BYTES + LONGEST_KEY));
    table.check(List.of(record(0, "")));
    table.check(List.of(new RecordChange.Remove(key(0)), record(most, "")));
    assertThatThrownBy(() -> table.check(List.of(record(0, "x"))))
        .isInstanceOf(StorageException.InvalidRequest.class);
  }

  @Test
  void anEmptyValueIsNotAnAbsentRecord() {
    table.apply(List.of(new RecordChange.Put("a", "")));
    assertThat(table.find("a")).contains("");
    table.apply(List.of(new RecordChange.Remove("a")));
    assertThat(table.find("a")).isEmpty();
  }

  private void put(int from, int to, String value) {
    List<RecordChange> changes =
        IntStream.range(from, to).<RecordChange>mapToObj(i -> record(i, value)).toList();
    table.check(changes);
    table.apply(changes);
  }

  private static RecordChange record(int number, String value) {
    return new RecordChange.Put(key(number), value);
  }

  private static String key(int number) {
    return "%0512d".formatted(number);
  }
}
