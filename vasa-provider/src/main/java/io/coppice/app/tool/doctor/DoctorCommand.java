package io.coppice.app.tool.doctor;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;

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
        --home     coppice.home; with it and every --coppice.KEY=VALUE give what "up" was given""";

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
          new LoginServerCheck());

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
}
