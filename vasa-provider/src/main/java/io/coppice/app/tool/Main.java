package io.coppice.app.tool;

import io.coppice.app.Application;
import io.coppice.app.Training;
import io.coppice.app.tool.backup.BackupCommand;
import io.coppice.app.tool.backup.RestoreCommand;
import io.coppice.app.tool.bundle.SupportBundleCommand;
import io.coppice.app.tool.doctor.DoctorCommand;
import io.coppice.app.tool.doctor.HealthCommand;
import io.coppice.app.tool.trail.VerifyAuditCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The entry point. The first argument names a command; without one the provider runs.
public final class Main {

  private static final String USAGE =
      """
      Usage: java -jar coppice.jar [--coppice.KEY=VALUE ...]      the provider
             java -jar coppice.jar doctor [OPTIONS]              why it is (or would be) offline
             java -jar coppice.jar health [OPTIONS]              whether its ports answer
             java -jar coppice.jar backup|restore FILE [OPTIONS] what the pool does not hold
             java -jar coppice.jar verify-audit [OPTIONS]        whether the audit trail is whole
             java -jar coppice.jar support-bundle FILE [OPTIONS]   what others need to help
             java -jar coppice.jar version\
      """;

  private Main() {}

  public static void main(String[] args) {
    String command = args.length == 0 ? "" : args[0];
    switch (command) {
      case "doctor" ->
          System.exit(DoctorCommand.run(rest(args), utf8(FileDescriptor.out), System.err));
      case "health" -> System.exit(HealthCommand.run(rest(args), System.out));
      case "backup" -> System.exit(BackupCommand.run(rest(args), System.out, System.err));
      case "restore" -> System.exit(RestoreCommand.run(rest(args), System.out, System.err));
      case "verify-audit" ->
          System.exit(VerifyAuditCommand.run(rest(args), System.out, System.err));
      case "support-bundle" ->
          System.exit(SupportBundleCommand.run(rest(args), System.out, System.err));
      case "train" -> System.exit(Training.run(Path.of(rest(args).getFirst()), System.err));
      case "version", "--version" -> System.out.println("coppice " + Application.version());
      case "help", "--help", "-h" -> System.out.println(USAGE);
      default -> Application.main(args);
    }
  }

  /// A stream in UTF-8 whatever the locale is: containers and schedulers often have none.
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  private static List<String> rest(String[] args) {
    return List.copyOf(Arrays.asList(args).subList(1, args.length));
  }
}
