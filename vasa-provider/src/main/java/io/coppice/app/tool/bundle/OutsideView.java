package io.coppice.app.tool.bundle;

import io.coppice.app.setting.SettingsReader;
import io.coppice.app.tool.doctor.DoctorCommand;
import io.coppice.app.tool.doctor.DoctorSubject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A provider as a process beside it sees it, whether it runs or not.
///
/// @param arguments by which the settings were read
record OutsideView(DoctorSubject provider, List<String> arguments) implements BundleSubject {

  @Override
  public String ask(String path) throws IOException {
    return provider.ask(path);
  }

  @Override
  public boolean isOpen() {
    return provider.isOpen();
  }

  @Override
  public String threads() throws IOException {
    if (provider.pid().isEmpty()) {
      throw new IOException("no provider is seen to run");
    }
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new IOException("this Java has no jcmd");
    }
    Process process =
        new ProcessBuilder(
                jcmd.toString(), Long.toString(provider.pid().getAsLong()), "Thread.print", "-l")
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  @Override
  public String settings() {
    return SettingsReport.of(SettingsReader.environment(arguments));
  }

  @Override
  public String doctor() {
    var text = new ByteArrayOutputStream();
    var out = new PrintStream(text, true, StandardCharsets.UTF_8);
    int status = DoctorCommand.run(arguments, out, out);
    return text.toString(StandardCharsets.UTF_8) + "exit status " + status + "\n";
  }
}
