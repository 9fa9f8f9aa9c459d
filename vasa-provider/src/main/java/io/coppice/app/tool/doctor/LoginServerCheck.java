package io.coppice.app.tool.doctor;

import io.coppice.admin.directory.LdapDirectory;
import io.coppice.admin.openid.OpenIdLogin;
import io.coppice.admin.openid.OpenIdSettings;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/// The check of the servers that people log in by: whether the directory lets in the account that
/// searches, and whether the authorization server describes itself. Without them the provider is
/// online, so what is wrong is a warning.
final class LoginServerCheck implements Check {

  private static final String TOPIC = "logins";

  /// Nobody is sent there: no login is begun.
  private static final URI NOWHERE = URI.create("https://localhost/login/openid/callback");

  @Override
  public void look(DoctorSubject site, Report report) {
    boolean ldap = site.settings().ldap().isOn();
    boolean openid = site.settings().openid().isOn();
    if (!ldap && !openid) {
      report.ok(TOPIC, "no login servers are set");
    }
    if (ldap) {
      new LdapDirectory(site.settings().ldap())
          .probe()
          .forEach((server, failure) -> tell(server, failure, report));
    }
    if (openid) {
      ask(site.settings().openid(), report);
    }
  }

  private static void ask(OpenIdSettings settings, Report report) {
    try {
      Optional<String> obstacle = new OpenIdLogin(settings, () -> NOWHERE).obstacle();
      tell(settings.issuer(), obstacle.orElse(""), report);
    } catch (IOException e) {
      report.warn(TOPIC, "%s", String.valueOf(e.getMessage()));
    }
  }

  private static void tell(String server, String failure, Report report) {
    if (failure.isEmpty()) {
      report.ok(TOPIC, "%s answers", server);
    } else {
      report.warn(TOPIC, "%s", failure);
    }
  }
}
