package io.coppice.vasa.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.vasa.fault.VasaException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {

  @Test
  void labelsAreMetadataUnderKeysOfTheirOwn() {
    Map<String, String> metadata =
        new HashMap<>(Labels.metadata(Map.of("b/c.d_e-f", "x", "a", "")));
    metadata.put("VMW_VVolName", "disk");

    assertThat(metadata).hasSize(3);
    assertThat(Labels.in(metadata))
        .containsExactly(Map.entry("a", ""), Map.entry("b/c.d_e-f", "x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "A", "ä", "a b", "-a", ".a", "_a", "/a", "a=b", "a\n", "a\u0000", "名"})
  void keysOfOtherCharactersAreRefused(String key) {
    assertRefused(Map.of(key, "x"), "expected keys of labels of 1 to 63 characters");
  }

  @Test
  void keysAndValuesHaveALength() {
    Map<String, String> longest = Map.of("k".repeat(63), "\ud83c\udf33".repeat(255));

    assertThat(Labels.in(Labels.metadata(longest))).isEqualTo(longest);
    assertRefused(Map.of("k".repeat(64), "x"), "expected keys");
    assertRefused(Map.of("k", "v".repeat(256)), "expected at most 255 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "a\u0000", "\u007f", "\u0085", "tab\t"})
  void controlCharactersAreRefused(String value) {
    assertRefused(Map.of("k", value), "without control characters");
  }

  @Test
  void thereAreAtMostSixtyFourOfThirtyTwoKibibytes() {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < 64; i++) {
      all.put("k" + i, "v");
    }

    assertThat(Labels.metadata(all)).hasSize(64);
    all.put("one-more", "v");
    assertRefused(all, "expected at most 64 labels, got 65");
    all.remove("one-more");
    all.replaceAll((_, _) -> "\ud83c\udf33".repeat(200));
    assertRefused(all, "expected labels of at most 32768 bytes together");
  }

  @Test
  void aNewLabelHasAValue() {
    Map<String, String> none = Collections.singletonMap("k", null);

    assertRefused(none, "expected a text as the value of label 'k', got null");
  }

  @Test
  void aMergeSetsAndRemovesAndLeavesTheRest() {
    Map<String, String> metadata = new HashMap<>(Labels.metadata(Map.of("a", "1", "b", "2")));
    metadata.put("VMW_VVolName", "disk");
    Map<String, String> wanted = new HashMap<>(Map.of("c", "3"));
    wanted.put("a", null);
    wanted.put("absent", null);

    Labels.Change change = Labels.merge(wanted, metadata);

    assertThat(Labels.in(change.put())).isEqualTo(Map.of("c", "3"));
    assertThat(change.removed().stream().map(Labels::keyOf)).containsOnly("a", "absent");
  }

  @Test
  void aMergeCountsWhatResults() {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < 64; i++) {
      all.put("k" + i, "v");
    }
    Map<String, String> metadata = Labels.metadata(all);
    Map<String, String> exchange = new HashMap<>(Map.of("new", "v"));
    exchange.put("k0", null);

    assertThat(Labels.merge(exchange, metadata).removed()).hasSize(1);
    assertThatThrownBy(() -> Labels.merge(Map.of("new", "v"), metadata))
        .hasMessage("expected at most 64 labels, got 65");
    assertThatThrownBy(() -> Labels.merge(Collections.singletonMap("A", null), Map.of()))
        .hasMessageContaining("expected keys of labels");
  }

  @Test
  void aFilterIsAKeyOrAPair() {
    assertThat(LabelFilter.parse(null)).isEmpty();
    assertThat(LabelFilter.parse(List.of("a", "b=", "c=d=e,f")))
        .containsExactly(
            new LabelFilter("a", null), new LabelFilter("b", ""), new LabelFilter("c", "d=e,f"));
    for (String bad : Set.of("", "=", "=a", "A=b", "a=\u0000", "a=" + "v".repeat(256))) {
      assertThatThrownBy(() -> LabelFilter.parse(List.of(bad)))
          .isInstanceOfSatisfying(
              VasaException.class, e -> assertThat(e.argument()).isEqualTo("label"));
    }
    assertThatThrownBy(() -> LabelFilter.parse(Collections.nCopies(65, "a")))
        .hasMessage("expected at most 64 labels, got 65");
  }

  private static void assertRefused(Map<String, String> labels, String message) {
    assertThatThrownBy(() -> Labels.metadata(labels))
        .isInstanceOfSatisfying(
            VasaException.class, e -> assertThat(e.argument()).isEqualTo("labels"))
        .hasMessageContaining(message);
  }
}
