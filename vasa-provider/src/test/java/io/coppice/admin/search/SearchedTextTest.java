package io.coppice.admin.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.problem.RequestRejectedException;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The texts that somebody may look for, and the ranks of what matches them.
class SearchedTextTest {

  private static final UUID ID = UUID.fromString("5f1d7c0e-3b6a-4f4e-8d2c-91a6e0b7c345");

  @ParameterizedTest
  @CsvSource({"Data, 0", "DATABASE, 1", "old-data-2, 2", "date, 3"})
  void equalIsBetterThanTheBeginningAndThatThanAnyPlace(String candidate, int rank) {
    assertThat(SearchedText.parse(" data ").rank(candidate)).isEqualTo(rank);
    assertThat(SearchedText.parse("data").rank(null)).isEqualTo(SearchedText.NONE);
  }

  @Test
  void anIdIsKnownByItsBeginning() {
    assertThat(SearchedText.parse("5F1D").rankOfId(ID)).isEqualTo(SearchedText.BEGINS);
    assertThat(SearchedText.parse(ID.toString()).rankOfId(ID)).isEqualTo(SearchedText.EQUAL);
    assertThat(SearchedText.parse("5f1").rankOfId(ID)).as("too short").isEqualTo(SearchedText.NONE);
    assertThat(SearchedText.parse("3b6a").rankOfId(ID)).as("within").isEqualTo(SearchedText.NONE);
    assertThat(SearchedText.parse("5f1d7c0e-3b").ids())
        .contains(
            new SearchedText.UuidRange(
                UUID.fromString("5f1d7c0e-3b00-0000-0000-000000000000"),
                UUID.fromString("5f1d7c0e-3bff-ffff-ffff-ffffffffffff")));
    assertThat(SearchedText.parse(ID.toString()).ids())
        .contains(new SearchedText.UuidRange(ID, ID));
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "----", "database", "5f1d7c0e-3b6a-4f4e-8d2c-91a6e0b7c3456"})
  void whatIsNoBeginningOfAnIdIsNone(String text) {
    assertThat(SearchedText.parse(text).ids()).isEmpty();
  }

  @Test
  void namesAndNumbersOfUnitsAreKnown() {
    String naa = "naa.6c0ffee0123456789abcdef012345678";
    assertThat(SearchedText.parse(naa.toUpperCase(Locale.ROOT)).naa()).contains(naa);
    assertThat(SearchedText.parse("6c0ffee0123").naa()).contains("naa.6c0ffee0123");
    assertThat(SearchedText.parse("naa.6c0f").naa()).as("all begin so").isEmpty();
    assertThat(SearchedText.parse("12").lun()).hasValue(12);
    assertThat(SearchedText.parse("123456").lun()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 201})
  void nothingAndTooMuchAreRefused(int length) {
    assertThatThrownBy(() -> SearchedText.parse(" " + "x".repeat(length)))
        .isInstanceOf(RequestRejectedException.class)
        .hasMessageContaining("got " + length);
  }
}
