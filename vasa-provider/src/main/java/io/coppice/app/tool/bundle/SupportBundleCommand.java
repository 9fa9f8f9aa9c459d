package io.coppice.app.tool.bundle;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Redactor;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import io.coppice.app.setting.SupportLimits;
import io.coppice.app.tool.doctor.DoctorSubject;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command `support-bundle FILE [--log LOG]… [--home DIR] [--coppice.KEY=VALUE …]`. It works
/// whether the provider runs or not: a process of its own reads what lies on this machine, and asks
/// a running provider as its administrator. What cannot be had is named in the index.
///
/// Ends with 0 if a bundle was written, 1 if not, 2 for wrong arguments.
public final class SupportBundleCommand {

  private static final int DONE = 0;
  private static final int REFUSED = 1;
  private static final int USAGE = 2;
  private static final String USAGE_TEXT =
      """
      Usage: support-bundle FILE [--log LOG ...] [--home DIR] [--coppice.KEY=VALUE ...]
        FILE    the bundle, a ZIP archive that must not exist yet
        --log   a log of the provider, if it writes to a file; the service's journal is found without\
      """;

  private SupportBundleCommand() {}

  /// The request in a command's arguments.
  private record Request(List<String> files, List<Path> logs, List<String> settings) {

    static Request of(List<String> args) {
      List<String> files = new ArrayList<>();
      List<Path> logs = new ArrayList<>();
      List<String> settings = new ArrayList<>();
      for (int i = 0; i < args.size(); i++) {
        String arg = args.get(i);
        boolean more = i + 1 < args.size();
        if (arg.equals("--home") && more) {
          settings.add("--coppice.home=" + args.get(++i));
        } else if (arg.startsWith("--home=")) {
          settings.add("--coppice." + arg.substring(2));
        } else if (arg.equals("--log") && more) {
          logs.add(Path.of(args.get(++i)));
        } else if (arg.startsWith("--log=")) {
          logs.add(Path.of(arg.substring("--log=".length())));
        } else if (arg.startsWith("--coppice.") || arg.startsWith("--spring.config.")) {
          settings.add(arg);
        } else {
          files.add(arg);
        }
      }
      return new Request(files, logs, settings);
    }

    boolean isUsable() {
      return files.size() == 1 && !files.getFirst().startsWith("--");
    }
  }

  /// @return the exit status
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.contains("--help") || args.contains("-h")) {
      out.println(USAGE_TEXT);
      return DONE;
    }
    Request request = Request.of(args);
    if (!request.isUsable()) {
      err.println(USAGE_TEXT);
      return USAGE;
    }
    Path file = Path.of(request.files().getFirst()).toAbsolutePath();
    try {
      write(file, request, out);
      return DONE;
    } catch (StartupException e) {
      err.println("coppice: " + e.getMessage());
      return USAGE;
    } catch (FileAlreadyExistsException e) {
      err.println(
          "coppice: expected a file that does not exist yet, got %s".formatted(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      err.println("coppice: there is no support bundle: %s".formatted(e));
    }
    return REFUSED;
  }

  private static void write(Path file, Request request, PrintStream out) throws IOException {
    CoppiceProperties settings = SettingsReader.read(request.settings());
    Path home = Path.of(settings.home()).toAbsolutePath().normalize();
    Redactor redactor = new Redactor(HomeSecrets.of(settings, home, System.getenv()));
    SupportLimits limits = settings.support();
    try (DoctorSubject provider = DoctorSubject.of(settings)) {
      BundleSubject subject = new OutsideView(provider, request.settings());
      List<Part> parts =
          new Gathering(settings, request.logs(), subject, limits.logSize().toBytes()).parts();
      BundleFile.write(
          file,
          redactor,
          limits.size().toBytes(),
          bundle -> TimedParts.addTo(bundle, parts, limits.patience()));
    }
    out.printf(
        "coppice: wrote %s (mode 0600); secrets are removed as far as they can be known, names and"
            + " addresses are not: look through it before you give it away%n",
        file);
  }
}
