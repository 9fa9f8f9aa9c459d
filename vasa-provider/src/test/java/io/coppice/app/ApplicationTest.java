package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {

  @TempDir Path home;

  @Test
  void startsServesBothPortsApartAndStops() throws Exception {
    try (var provider = TestProvider.start(home).ready()) {
      var vasa = new VasaClient(provider.vasaPort(), null);
      var management = new VasaClient(provider.managementPort(), null);

      var version = vasa.get("/vasa/version.xml");

      assertThat(version.statusCode()).isEqualTo(200);
      assertThat(version.body())
          .contains(
              "id=\"1.0\"",
              "id=\"2.0\"",
              "id=\"3.0\"",
              "serviceLocation=\"/vasa/services/vasaService\"");
      assertThat(vasa.get("/vasa/catalog/event_en.vmsg").body()).contains("io.coppice.event.");
      assertThat(vasa.get("/vasa/catalog/other.vmsg").statusCode()).isEqualTo(404);
      assertThat(vasa.get("/").statusCode()).isEqualTo(404);
      assertThat(management.get("/vasa/version.xml").statusCode()).isEqualTo(404);
      assertThat(management.callEmpty("queryCatalog").status()).isEqualTo(404);
      for (String secret : new String[] {"vasa.password", "admin.token", "database.password"}) {
        assertThat(Files.getPosixFilePermissions(home.resolve(secret)))
            .as(secret)
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
      assertThat(provider.output()).contains("iSCSI target serves", "ready", "vasa.password");
    }
  }
}
