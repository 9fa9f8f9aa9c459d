package io.coppice.app.tool.doctor;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// The command `health [--coppice.KEY=VALUE ...]`, the health check of the image. It asks from this
/// machine whether the ports of a provider with these settings answer, and the provider itself
/// (`/livez`). It reports less than `doctor` and takes a second.
///
/// A provider without its database counts as well: its volumes are served, and a restart would mend
/// nothing.
public final class HealthCommand {

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int OK = 200;

  private HealthCommand() {}

  /// @return 0 if the provider is well, 1 if not, with one sentence
  public static int run(List<String> args, PrintStream out) {
    try {
      CoppiceProperties settings = SettingsReader.read(args);
      var options = new DoctorOptions(Optional.empty(), Optional.empty(), false, args);
      try (var site = new DoctorSubject(settings, options, Clock.systemUTC())) {
        out.println(look(site));
      }
      return 0;
    } catch (StartupException | IOException e) {
      out.println(e.getMessage());
      return 1;
    }
  }

  private static String look(DoctorSubject site) throws IOException {
    ServerAddress portal = site.iscsi();
    if (portal.port() != 0) {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress(portal.name(), portal.port()), TIMEOUT_MILLIS);
      } catch (IOException e) {
        throw new IOException(
            "the iSCSI portal %s takes no connection: %s".formatted(portal, e), e);
      }
    }
    if (site.settings().vasa().port() != 0) {
      TlsAnswer answer = site.served();
      if (answer.status() != OK) {
        throw new IOException(
            "https://%s/vasa/version.xml: expected 200, got %d"
                .formatted(site.vasa(), answer.status()));
      }
    }
    if (site.settings().management().port() != 0) {
      TlsAnswer answer = TlsAnswer.ask(site.management(), "GET", "/livez", List.of());
      if (answer.status() != OK) {
        throw new IOException(
            "https://%s/livez: expected 200, got %d: %s"
                .formatted(site.management(), answer.status(), answer.body().strip()));
      }
    }
    return "the ports answer";
  }
}
