package io.coppice.app.tool.doctor;

import io.coppice.admin.directory.LdapDirectory;
import io.coppice.admin.openid.OpenIdLogin;
import io.coppice.admin.openid.OpenIdSettings;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// `doctor [--vcenter HOST[:PORT]] [--name NAME] [--home DIR] [--json] [--coppice.KEY=VALUE ...]`.
///
/// Ends with 0 if nothing keeps the provider from being online, else with the status of the
/// [Cause].
public final class DoctorCommand {

  private static final String USAGE =
      """
      Usage: doctor [--vcenter HOST[:PORT]] [--name NAME] [--home DIR] [--json] [--coppice.KEY=VALUE ...]
        --vcenter  the vCenter that should see the provider: its clock and its authority are compared
        --name     host name or address in the provider's URL as vCenter has it
        --home     coppice.home; with it and every --coppice.KEY=VALUE give what "up" was given\
      """;

  private static final List<Check> CHECKS =
      List.of(
          new HomeCheck(),
          new PoolCheck(),
          new DataPlaneCheck(),
          new PortCheck(),
          new DatabaseCheck(),
          new AuditCheck(),
          new ClockCheck(),
          new NameCheck(),
          new CertificateCheck(),
          new ServiceCheck(),
          new TargetCheck(),
          new TrustCheck(),
          DoctorCommand::lookAtLoginServers);

  private static final String LOGINS = "logins";

  /// Nobody is sent there: no login is begun.
  private static final URI NOWHERE = URI.create("https://localhost/login/openid/callback");

  private DoctorCommand() {}

  /// @return the exit status
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.contains("--help") || args.contains("-h")) {
      out.println(USAGE);
      return 0;
    }
    DoctorOptions options;
    try {
      options = DoctorOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("coppice: " + e.getMessage());
      err.println(USAGE);
      return Cause.SETTINGS.exitStatus();
    }
    var report = new Report();
    try {
      CoppiceProperties settings = SettingsReader.read(options.settings());
      report.ok("settings", "they can be read; home %s", settings.home());
      try (var site = new DoctorSubject(settings, options, Clock.systemUTC())) {
        CHECKS.forEach(check -> check.look(site, report));
      }
    } catch (StartupException e) {
      report.fail(
          "settings",
          Cause.SETTINGS,
          "The settings cannot be used: " + e.getMessage(),
          "correct that setting; config/application.yaml describes each.");
    }
    out.println(options.json() ? report.json() : report.text().stripTrailing());
    out.flush();
    return report.exitStatus();
  }

  /// Looks whether the directory lets in the account that searches, and whether the authorization
  /// server describes itself. Without them the provider is online, so what is wrong is a warning.
  private static void lookAtLoginServers(DoctorSubject site, Report report) {
    boolean ldap = site.settings().ldap().isOn();
    boolean openid = site.settings().openid().isOn();
    if (!ldap && !openid) {
      report.ok(LOGINS, "no login servers are set");
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
      report.warn(LOGINS, "%s", String.valueOf(e.getMessage()));
    }
  }

  private static void tell(String server, String failure, Report report) {
    if (failure.isEmpty()) {
      report.ok(LOGINS, "%s answers", server);
    } else {
      report.warn(LOGINS, "%s", failure);
    }
  }
}
