package io.coppice.vasa.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// The sentences of events: the catalog's text with the event's parameters.
class EventSentencesTest {

  private final EventSentences sentences = new EventSentences();

  @Test
  void parametersStandInTheirPlaces() {
    assertThat(
            sentences.of(
                "io.coppice.event.DamagedBlocks",
                Map.of("volume", "V", "lbas", "8 to 15, 32 to 39")))
        .isEqualTo("Blocks of the virtual volume V were found damaged, at LBA 8 to 15, 32 to 39.");
  }

  @Test
  void valuesAreTakenAsTheyAre() {
    assertThat(
            sentences.of(
                "io.coppice.event.ProfileNew", Map.of("profile", "$1 \\ {profile} \"gold\"")))
        .isEqualTo("The storage profile $1 \\ {profile} \"gold\" was made.");
  }

  @Test
  void aParameterThatIsMissingShows() {
    assertThat(sentences.of("io.coppice.event.ProfileNew", Map.of()))
        .isEqualTo("The storage profile {profile} was made.");
  }

  @Test
  void aMessageOfAnotherVersionIsItsId() {
    assertThat(sentences.of("io.coppice.event.Later", Map.of("a", "b")))
        .isEqualTo("io.coppice.event.Later");
  }
}
