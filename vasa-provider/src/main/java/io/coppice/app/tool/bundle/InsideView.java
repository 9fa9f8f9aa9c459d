package io.coppice.app.tool.bundle;

import io.coppice.app.tool.doctor.ManagementPort;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.springframework.core.env.ConfigurableEnvironment;

/// A running provider as it sees itself. It has the pool open, and asks itself as others do.
///
/// There is no doctor: it reads the settings anew, which would silence the log of this process, and
/// its question is why a provider cannot be reached. The verdict is what a provider says of itself.
record InsideView(ManagementPort port, ConfigurableEnvironment environment)
    implements BundleSubject {

  @Override
  public String ask(String path) throws IOException {
    return port.ask(path);
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  /// The text that jcmd has. A jcmd of this process would stop it for good: while the stacks are
  /// written, all threads stand still, and so does the one that should read them. Locks beside
  /// monitors are left out: to find them, all threads would stand still while memory is searched.
  @Override
  public String threads() throws IOException {
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[] {}},
                  new String[] {String[].class.getName()});
      return String.valueOf(text);
    } catch (JMException e) {
      throw new IOException("this Java does not show its threads: " + e.getMessage(), e);
    }
  }

  @Override
  public String settings() {
    return SettingsReport.of(environment);
  }

  @Override
  public String doctor() throws IOException {
    throw new IOException(
        "the doctor looks from outside, so ask it on the machine of the provider: ./coppice doctor;"
            + " what the provider says of itself is in provider/verdict.json");
  }
}
