package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.admin.login.Grant;
import io.coppice.admin.login.Identity;
import io.coppice.admin.openid.OpenIdException;
import io.coppice.admin.openid.OpenIdLogin;
import io.coppice.admin.openid.OpenIdSettings;
import io.coppice.admin.outside.OutsideRoles;
import io.coppice.api.Role;
import io.coppice.driver.pki.CertificateAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/// Logins by a real authorization server, by a browser that fills in its form.
class OpenIdIT {

  private static final URI CALLBACK = URI.create("https://127.0.0.1:1/login/openid/callback");

  @TempDir private static Path folder;

  private static AuthorizationProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = AuthorizationProcess.start(folder, CALLBACK);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static OpenIdSettings settings(String ca, String secretFile) {
    return new OpenIdSettings(
        server.issuer(),
        false,
        ca,
        new OpenIdSettings.Client(AuthorizationProcess.CLIENT, secretFile),
        "",
        List.of("profile"),
        new OpenIdSettings.Claims("preferred_username", "groups"),
        List.of("storage-admin: storage"),
        new OpenIdSettings.Limits(
            Duration.ofSeconds(20),
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            4,
            100,
            DataSize.ofMegabytes(1),
            100));
  }

  private static OpenIdSettings right() {
    return settings(server.file("ca.crt"), server.file("client.secret"));
  }

  private static OpenIdLogin login(OpenIdSettings settings) throws IOException {
    return new OpenIdLogin(settings, () -> CALLBACK);
  }

  private static Identity identity(String name) throws Exception {
    OpenIdLogin login = login(right());
    try (BrowserAtLogin browser = new BrowserAtLogin(server.trust())) {
      OpenIdLogin.Begun begun = login.begin("/");
      URI back = browser.logIn(begun.at(), name, "password-of-" + name, CALLBACK);
      return login.end(BrowserAtLogin.parameters(back), begun.browser()).identity();
    }
  }

  @Test
  void somebodyLogsInAndHisGroupGivesTheRole() throws Exception {
    OutsideRoles roles = new OutsideRoles(Map.of(OpenIdLogin.SOURCE, right().rules()));

    Identity anna = identity("anna");
    Identity ben = identity("ben");

    assertThat(anna).isEqualTo(new Identity("openid", "anna", "anna", List.of("storage")));
    assertThat(roles.of(anna)).contains(new Grant(Role.STORAGE_ADMIN, List.of()));
    assertThat(ben.groups()).isEmpty();
    assertThat(roles.of(ben)).isEmpty();
  }

  @Test
  void aWrongPasswordLeadsBackToTheForm() throws Exception {
    OpenIdLogin login = login(right());
    try (BrowserAtLogin browser = new BrowserAtLogin(server.trust())) {
      URI end = browser.logIn(login.begin("/").at(), "anna", "wrong", CALLBACK);

      assertThat(end).hasToString(server.issuer() + "/login?error");
    }
  }

  @Test
  void aCodeWorksOnceAndForItsVerifierOnly() throws Exception {
    OpenIdLogin login = login(right());
    try (BrowserAtLogin browser = new BrowserAtLogin(server.trust())) {
      OpenIdLogin.Begun begun = login.begin("/");
      URI back = browser.logIn(begun.at(), "anna", "password-of-anna", CALLBACK);
      Map<String, List<String>> answer = BrowserAtLogin.parameters(back);
      OpenIdLogin.Begun other = login.begin("/");
      Map<String, List<String>> mixed =
          Map.of(
              "code",
              answer.get("code"),
              "state",
              BrowserAtLogin.parameters(other.at()).get("state"));

      assertThatThrownBy(() -> login.end(mixed, other.browser()))
          .isInstanceOf(OpenIdException.class)
          .hasMessageContaining("gave no token for the code: invalid_grant");
    }
  }

  @Test
  void aWrongSecretOfTheClientIsTold(@TempDir Path other) throws Exception {
    Path wrong = Files.writeString(other.resolve("client.secret"), "wrong\n");
    OpenIdLogin login = login(settings(server.file("ca.crt"), wrong.toString()));
    try (BrowserAtLogin browser = new BrowserAtLogin(server.trust())) {
      OpenIdLogin.Begun begun = login.begin("/");
      URI back = browser.logIn(begun.at(), "anna", "password-of-anna", CALLBACK);

      assertThatThrownBy(() -> login.end(BrowserAtLogin.parameters(back), begun.browser()))
          .isInstanceOf(OpenIdException.class)
          .hasMessageContaining("invalid_client");
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused(@TempDir Path other) throws Exception {
    Path ca =
        Files.writeString(
            other.resolve("ca.crt"), CertificateAuthority.create("another").certificatePem());

    assertThatThrownBy(
            () -> login(settings(ca.toString(), server.file("client.secret"))).begin("/"))
        .isInstanceOf(OpenIdException.class)
        .hasMessageContaining(server.issuer())
        .hasMessageContaining("no TLS connection that can be trusted");
  }
}
