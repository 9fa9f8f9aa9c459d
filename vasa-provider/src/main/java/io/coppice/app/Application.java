package io.coppice.app;

import io.coppice.app.notice.ServiceNotices;
import io.coppice.app.pool.PoolFolder;
import io.coppice.app.setting.AdvertisedAddresses;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.KnownSettings;
import io.coppice.app.setting.StartupException;
import io.coppice.engine.device.SystemCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Properties;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.metrics.TomcatMetricsAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/// The Coppice application.
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      FlywayAutoConfiguration.class,
      TomcatMetricsAutoConfiguration.class // of sessions, which there are none
    })
@ComponentScan({"io.coppice.app", "io.coppice.vasa", "io.coppice.admin"})
public class Application {

  /// Runs until it is told to stop. A failure to start becomes one sentence on standard error.
  public static void main(String[] args) {
    Thread.ofPlatform().name("system-calls").daemon(true).start(SystemCalls::bindAhead);
    ServiceNotices.tell(System.getenv(), "The pool is being opened.");
    try {
      start(args, PoolFolder::open, System.out);
    } catch (StartupException e) {
      ServiceNotices.tell(System.getenv(), String.valueOf(e.getMessage()));
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
    var stages = StartupProgress.ofThisProcess(out, clock);
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
      throw StartupException.of(e);
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

  private static String webUi(String address) {
    return Application.class.getResource("/ui/index.html") == null
        ? "web UI none: this build was made without Node.js 20.19 or newer"
        : "web UI %s  the token of REST makes the first account".formatted(address);
  }

  private static List<String> summary(Running running) {
    var context = running.context();
    Home home = context.getBean(Home.class);
    var properties = context.getBean(CoppiceProperties.class);
    var reach = new AdvertisedAddresses(properties);
    var luns = context.getBean(io.coppice.scsi.directory.LunDirectory.class);
    return List.of(
        "VASA   %s  user %s, password in %s"
            .formatted(
                reach.vasa(running.vasaPort(), "/vasa/version.xml"),
                properties.vasa().userName(),
                home.vasaPassword()),
        "REST   %s  token in %s"
            .formatted(reach.management(running.managementPort(), "/"), home.adminToken()),
        webUi(reach.management(running.managementPort(), "/").toString()),
        "iSCSI  %s  %s and %s"
            .formatted(
                String.join(", ", reach.portals(running.portals())),
                luns.endpointTarget(),
                luns.plainTarget()),
        "root certificate for clients: " + home.path().resolve("tls/root.crt"),
        "first command: curl --cacert %s -H \"Authorization: Bearer $(cat %s)\" %s"
            .formatted(
                home.path().resolve("tls/root.crt"),
                home.adminToken(),
                reach.management(running.managementPort(), "/api/v1/system")));
  }
}
