package io.coppice.app;

import io.coppice.engine.device.SystemCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/// Coppice.
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@ComponentScan({"io.coppice.app", "io.coppice.vasa", "io.coppice.admin"})
public class Application {

  /// Runs until it is told to stop; what keeps it from starting is one sentence on standard error.
  public static void main(String[] args) {
    Thread.ofPlatform().name("system-calls").daemon(true).start(SystemCalls::bindAhead);
    try {
      start(args, PoolFolder::open, System.out);
    } catch (StartupException e) {
      System.err.println("coppice: " + e.getMessage());
      System.exit(1);
    }
  }

  /// A running Coppice.
  record Running(ConfigurableApplicationContext context) implements AutoCloseable {

    int vasaPort() {
      return context.getBean("vasaConnector", Connector.class).getLocalPort();
    }

    int managementPort() {
      return java.util.Objects.requireNonNull(
              ((ServletWebServerApplicationContext) context).getWebServer())
          .getPort();
    }

    List<InetSocketAddress> portals() {
      return context.getBean(DataPlane.class).portals();
    }

    @Override
    public void close() {
      context.close();
    }
  }

  /// Starts with pools of another kind.
  ///
  /// @throws StartupException if it cannot start; nothing is left open
  static Running start(String[] args, DataPlane.PoolOpener pools, PrintStream out) {
    KnownSettings.requireArguments(List.of(args));
    var clock = Clock.systemUTC();
    var stages = Stages.ofThisProcess(out, clock);
    var services = stages.await("the services to be made");
    var application = new SpringApplication(Application.class);
    application.addListeners(new DataPlaneStart(pools, stages, clock));
    try {
      var running = new Running(application.run(args));
      services.close();
      stages.reached("ports are open");
      List<String> summary = summary(running); // now: when it is ready the ports may be closing
      running.context().getBean(ControlPlane.class).whenReady(() -> summary.forEach(stages::say));
      return running;
    } catch (RuntimeException e) {
      services.close();
      throw sentence(e);
    }
  }

  /// Version of this build.
  public static String version() {
    try (InputStream in = Application.class.getResourceAsStream("/coppice.properties")) {
      var properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> summary(Running running) {
    var context = running.context();
    Home home = context.getBean(Home.class);
    var properties = context.getBean(CoppiceProperties.class);
    var reach = new Reach(properties);
    var luns = context.getBean(io.coppice.scsi.directory.LunDirectory.class);
    return List.of(
        "VASA   %s  user %s, password in %s"
            .formatted(
                reach.vasa(running.vasaPort(), "/vasa/version.xml"),
                properties.vasa().userName(),
                home.vasaPassword()),
        "REST   %s  token in %s"
            .formatted(reach.management(running.managementPort(), "/"), home.adminToken()),
        "iSCSI  %s  %s and %s"
            .formatted(
                String.join(", ", reach.portals(running.portals())),
                luns.endpointTarget(),
                luns.plainTarget()),
        "root certificate for clients: " + home.path().resolve("tls/root.crt"));
  }

  /// What went wrong as one sentence; anything that nobody expected keeps its stack trace.
  static StartupException sentence(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartupException expected) {
        return expected;
      }
      Optional<Integer> port = portInUse(cause);
      if (port.isPresent()) {
        return new StartupException(
            "the port %d is in use: expected free ones for coppice.vasa.port and"
                    .formatted(port.get())
                + " coppice.management.port",
            thrown);
      }
      if (cause instanceof IllegalArgumentException illegal
          && String.valueOf(illegal.getMessage()).matches("(expected )?coppice\\.(?s:.*)")) {
        return new StartupException(String.valueOf(illegal.getMessage()), thrown);
      }
    }
    throw unreadableSetting(thrown).orElseThrow(() -> thrown);
  }

  private static Optional<StartupException> unreadableSetting(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException bind && bind.getProperty() != null) {
        return Optional.of(
            new StartupException(
                "%s: expected %s, got \"%s\""
                    .formatted(
                        bind.getName(), kind(bind.getTarget()), bind.getProperty().getValue()),
                thrown));
      }
    }
    return Optional.empty();
  }

  private static String kind(Bindable<?> target) {
    Class<?> type = target.getType().resolve(Object.class);
    if (type.isEnum()) {
      return "one of "
          + Stream.of(type.getEnumConstants())
              .map(each -> each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.joining(", "));
    }
    return switch (type.getSimpleName()) {
      case "int", "long" -> "a whole number";
      case "boolean" -> "true or false";
      case "Duration" -> "a time such as 30s or 10m";
      case "DataSize" -> "a size such as 64MB or 2GB";
      default -> "another value";
    };
  }

  private static Optional<Integer> portInUse(Throwable cause) {
    return switch (cause) {
      case PortInUseException inUse -> Optional.of(inUse.getPort());
      case org.springframework.boot.tomcat.ConnectorStartFailedException failed ->
          Optional.of(failed.getPort());
      default -> Optional.empty();
    };
  }
}
