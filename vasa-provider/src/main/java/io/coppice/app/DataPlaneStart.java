package io.coppice.app;

import io.coppice.app.database.DatabaseLink;
import io.coppice.app.database.DeferredDataSource;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.FreePorts;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.KnownSettings;
import io.coppice.app.setting.MemoryBudget;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/// The start of the data plane. It begins as soon as the settings are read, before Spring does
/// anything that takes time; the database follows beside Spring. The context gets both.
final class DataPlaneStart implements ApplicationListener<SpringApplicationEvent>, Ordered {

  private final DataPlane.PoolOpener pools;
  private final StartupProgress stages;
  private final InstantSource clock;
  private @Nullable DataPlane plane;

  DataPlaneStart(DataPlane.PoolOpener pools, StartupProgress stages, InstantSource clock) {
    this.pools = pools;
    this.stages = stages;
    this.clock = clock;
  }

  @Override
  public void onApplicationEvent(SpringApplicationEvent event) {
    switch (event) {
      case ApplicationEnvironmentPreparedEvent prepared ->
          open(settings(prepared.getEnvironment()));
      case ApplicationContextInitializedEvent initialized ->
          handOver((GenericApplicationContext) initialized.getApplicationContext());
      case ApplicationFailedEvent _ -> close();
      default -> {}
    }
  }

  private static CoppiceProperties settings(ConfigurableEnvironment environment) {
    KnownSettings.require(environment);
    return Binder.get(environment).bind("coppice", CoppiceProperties.class).get();
  }

  private @Nullable CoppiceProperties properties;
  private @Nullable Home home;
  private final DeferredDataSource dataSource = new DeferredDataSource();
  private @Nullable DatabaseLink database;

  /// Opens everything in this order, so that a refused start leaves the disk as it was.
  private void open(CoppiceProperties settings) {
    FreePorts.require(settings);
    MemoryBudget.of(settings).require();
    Home opened = Home.open(java.nio.file.Path.of(settings.home()));
    properties = settings;
    home = opened;
    plane = DataPlane.open(settings, opened, pools, stages);
    opened.makeSecrets();
    database = new DatabaseLink(settings.database(), opened.path(), dataSource, clock);
    database.openAhead();
  }

  private void handOver(GenericApplicationContext context) {
    DataPlane opened = java.util.Objects.requireNonNull(plane);
    var beans = context.getBeanFactory();
    beans.registerSingleton("stages", stages);
    beans.registerSingleton("clock", clock);
    beans.registerSingleton("home", java.util.Objects.requireNonNull(home));
    beans.registerSingleton("properties", java.util.Objects.requireNonNull(properties));
    beans.registerSingleton("dataSource", dataSource);
    beans.registerSingleton("databaseLink", java.util.Objects.requireNonNull(database));
    beans.registerSingleton("engine", opened.engine());
    beans.registerSingleton("luns", opened.luns());
    beans.registerSingleton("peerRecords", opened.peers());
    beans.registerSingleton("groupLimits", opened.limits());
    beans.registerSingleton("offloads", opened.offloads());
    beans.registerSingleton("traffic", opened.traffic());
    beans.registerSingleton("reaches", opened.reaches());
    beans.registerSingleton("roundTrips", opened.roundTrips());
    // A definition lets the context close it: last, since everything else stops before.
    context.registerBean("dataPlane", DataPlane.class, () -> opened);
  }

  private void close() {
    DatabaseLink link = database;
    if (link != null) {
      database = null;
      link.close();
    }
    DataPlane opened = plane;
    if (opened != null) {
      plane = null;
      opened.close();
    }
  }

  /// Runs after the listener that reads the configuration files.
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
