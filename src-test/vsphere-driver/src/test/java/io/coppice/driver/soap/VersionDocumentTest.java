package io.coppice.driver.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionDocumentTest {
  private static final URI BASE = URI.create("https://provider.test:8443/vasa/version.xml");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<supportedVersions><version id='2.0' serviceLocation='/vasa/services/x'/>"
            + "</supportedVersions>",
        "<v:supportedVersions xmlns:v='urn:v'><v:version><v:id>2.0</v:id>"
            + "<v:serviceLocation> https://provider.test:8443/vasa/services/x </v:serviceLocation>"
            + "</v:version></v:supportedVersions>",
        "<supportedVersions><version id='2.0' serviceLocation='services/x'/></supportedVersions>"
      })
  void locationsAreFoundInEveryForm(String text) {
    assertThat(VersionDocument.parse(BASE, text).service("2"))
        .isEqualTo(URI.create("https://provider.test:8443/vasa/services/x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not XML", "<supportedVersions/>", "<!DOCTYPE a><a/>"})
  void aDocumentWithoutAVersionIsRefused(String text) {
    assertThatThrownBy(() -> VersionDocument.parse(BASE, text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnknownVersionIsRefused() {
    VersionDocument document =
        VersionDocument.parse(BASE, "<a><version id='1.0' serviceLocation='/x'/></a>");

    assertThatThrownBy(() -> document.service("2")).hasMessageContaining("expected version 2");
  }
}
