package io.coppice.wsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetDateTimeAdapterTest {

  private final OffsetDateTimeAdapter adapter = new OffsetDateTimeAdapter();

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T09:15:30Z, 2026-11-21T09:15:30Z",
    "2026-11-21T09:15:30.250Z, 2026-11-21T09:15:30.250Z",
    "2026-11-21T09:15:30+02:00, 2026-11-21T09:15:30+02:00",
    "2026-11-21T09:15:30-08:30, 2026-11-21T09:15:30-08:30",
    "2026-11-21T24:00:00Z, 2026-11-22T00:00:00Z",
    "' 2026-11-21T09:15:30Z ', 2026-11-21T09:15:30Z",
  })
  void readsEveryFormOfTheSchema(String text, String expected) {
    assertThat(adapter.unmarshal(text)).isEqualTo(OffsetDateTime.parse(expected));
  }

  @Test
  void takesATimeWithoutZoneAsUtc() {
    assertThat(adapter.unmarshal("2026-11-21T09:15:30").getOffset()).isEqualTo(ZoneOffset.UTC);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-21", "09:15:30", "yesterday", "2026-13-01T00:00:00Z"})
  void refusesWhatIsNoDateTime(String text) {
    assertThatThrownBy(() -> adapter.unmarshal(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T09:15:00Z, 2026-11-21T09:15:00Z",
    "2026-11-21T09:15:30.123456789Z, 2026-11-21T09:15:30.123Z",
    "2026-11-21T09:15:30+02:00, 2026-11-21T09:15:30+02:00",
  })
  void writesSecondsZoneAndNoMoreThanMilliseconds(String time, String expected) {
    assertThat(adapter.marshal(OffsetDateTime.parse(time))).isEqualTo(expected);
  }

  @Test
  void keepsNothingAsNothing() {
    assertThat(adapter.unmarshal(null)).isNull();
    assertThat(adapter.unmarshal("")).isNull();
    assertThat(adapter.marshal(null)).isNull();
  }
}
