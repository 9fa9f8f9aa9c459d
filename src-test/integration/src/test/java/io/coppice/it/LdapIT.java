package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.admin.directory.LdapDirectory;
import io.coppice.admin.directory.LdapSettings;
import io.coppice.admin.login.Grant;
import io.coppice.admin.login.Identity;
import io.coppice.admin.login.PasswordOutcome;
import io.coppice.admin.login.PasswordOutcome.Known;
import io.coppice.admin.login.PasswordOutcome.Refused;
import io.coppice.admin.login.PasswordOutcome.Unavailable;
import io.coppice.admin.outside.OutsideRoles;
import io.coppice.api.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logins by a real OpenLDAP server: over `ldaps` and StartTLS, with the groups that it tells.
class LdapIT {

  @TempDir private static Path folder;

  private static SlapdProcess slapd;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(SlapdProcess.exists(), "slapd is not installed (package slapd)");
    slapd = SlapdProcess.start(folder);
  }

  @AfterAll
  static void stop() {
    if (slapd != null) {
      slapd.close();
    }
  }

  private static LdapSettings settings(String ca, boolean unencrypted, String... urls) {
    return new LdapSettings(
        List.of(urls),
        unencrypted,
        ca,
        new LdapSettings.Bind(SlapdProcess.READER, slapd.file("reader.password")),
        new LdapSettings.User("", SlapdProcess.SUFFIX, "(uid={name})", "entryUUID", "uid"),
        new LdapSettings.Group("memberOf", "", "(member={dn})", 100),
        List.of("storage-admin: CN=Storage, OU=groups," + SlapdProcess.SUFFIX),
        new LdapSettings.Waits(
            Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ZERO),
        4);
  }

  private static LdapSettings trusting(String... urls) {
    return settings(slapd.file("ca.crt"), false, urls);
  }

  private static PasswordOutcome anna(LdapSettings settings) {
    return new LdapDirectory(settings).check("anna", SlapdProcess.passwordOf("anna"));
  }

  @Test
  void aPasswordIsCheckedOverLdapsAndOverStartTls() {
    for (String url : List.of(slapd.tlsUrl(), slapd.url())) {
      assertThat(anna(trusting(url))).as(url).isInstanceOf(Known.class);
      LdapDirectory directory = new LdapDirectory(trusting(url));

      assertThat(directory.check("anna", "wrong")).isInstanceOf(Refused.class);
      assertThat(directory.check("anna", SlapdProcess.passwordOf("ben")))
          .isInstanceOf(Refused.class);
      assertThat(directory.check("anna", "")).isInstanceOf(Refused.class);
      assertThat(directory.check("carol", "wrong")).isInstanceOf(Refused.class);
      assertThat(directory.check("*", SlapdProcess.passwordOf("anna"))).isInstanceOf(Refused.class);
      assertThat(directory.probe()).containsExactly(Map.entry(url, ""));
    }
  }

  @Test
  void groupsOfTheAttributeAndOfASearchGiveTheRole() {
    LdapSettings byAttribute = trusting(slapd.tlsUrl());
    LdapSettings bySearch =
        new LdapSettings(
            byAttribute.servers(),
            false,
            byAttribute.ca(),
            byAttribute.bind(),
            new LdapSettings.User(
                "uid={name},ou=people," + SlapdProcess.SUFFIX, "", "(uid={name})", "", ""),
            new LdapSettings.Group("", "ou=groups," + SlapdProcess.SUFFIX, "(member={dn})", 100),
            byAttribute.roles(),
            byAttribute.waits(),
            4);

    for (LdapSettings settings : List.of(byAttribute, bySearch)) {
      LdapDirectory directory = new LdapDirectory(settings);
      OutsideRoles roles = new OutsideRoles(Map.of(LdapDirectory.SOURCE, settings.rules()));
      Identity anna = known(directory.check("anna", SlapdProcess.passwordOf("anna")));
      Identity ben = known(directory.check("ben", SlapdProcess.passwordOf("ben")));

      assertThat(anna.name()).isEqualTo("anna");
      assertThat(anna.groups()).containsExactly(SlapdProcess.STORAGE);
      assertThat(roles.of(anna)).contains(new Grant(Role.STORAGE_ADMIN, List.of()));
      assertThat(ben.groups()).isEmpty();
      assertThat(roles.of(ben)).isEmpty();
    }
  }

  private static Identity known(PasswordOutcome outcome) {
    assertThat(outcome).isInstanceOf(Known.class);
    return ((Known) outcome).identity();
  }

  @Test
  void aCertificateOfAnotherAuthorityOrForAnotherNameIsRefused() {
    for (String url : List.of(slapd.tlsUrl(), slapd.url())) {
      assertThat(reason(anna(settings(slapd.file("other-ca.crt"), false, url))))
          .contains(url)
          .contains("no TLS connection that can be trusted");
      assertThat(reason(anna(trusting(url.replace("localhost", "127.0.0.2")))))
          .contains("127.0.0.2")
          .contains("no TLS connection that can be trusted");
    }
  }

  @Test
  void aServerThatIsKilledIsNamedAndTheNextOneIsAsked(@TempDir Path other) throws Exception {
    SlapdProcess second = SlapdProcess.start(other);
    LdapSettings alone = settings(second.file("ca.crt"), false, second.tlsUrl());
    LdapDirectory directory = new LdapDirectory(alone);
    assertThat(directory.check("anna", SlapdProcess.passwordOf("anna"))).isInstanceOf(Known.class);

    second.close();

    assertThat(reason(directory.check("anna", SlapdProcess.passwordOf("anna"))))
        .contains(second.tlsUrl())
        .contains("could not be reached");
    assertThat(anna(trusting(second.tlsUrl(), slapd.tlsUrl()))).isInstanceOf(Known.class);
  }

  private static String reason(PasswordOutcome outcome) {
    assertThat(outcome).isInstanceOf(Unavailable.class);
    return ((Unavailable) outcome).reason();
  }
}
