package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.login.LoginRefusal;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The words about refused logins: sentences, and another one for each reason.
class RefusedLoginTextTest {

  @Test
  void eachReasonHasASentenceOfItsOwnAndARemedy() {
    Set<String> sentences = new HashSet<>();
    for (LoginRefusal refusal : LoginRefusal.values()) {
      RefusedLoginText text = RefusedLoginText.of(refusal);

      assertThat(text.sentence()).as(refusal.name()).matches("[A-Z].+\\.");
      assertThat(text.remedy()).as(refusal.name()).matches("[A-Z].+\\.");
      assertThat(sentences.add(text.sentence())).as(text.sentence()).isTrue();
    }
  }
}
