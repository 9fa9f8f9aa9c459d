package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.tls.TlsFiles;
import io.coppice.vasa.verdict.ProviderFacts;
import io.coppice.vasa.verdict.ServedChain;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The facts for verdicts, from this process.
@Component
final class InsideFacts implements ProviderFacts {

  private final Home home;
  private final CoppiceProperties settings;
  private final TlsFiles tls;
  private final JdbcClient jdbc;

  InsideFacts(Home home, CoppiceProperties settings, TlsFiles tls, JdbcClient jdbc) {
    this.home = home;
    this.settings = settings;
    this.tls = tls;
    this.jdbc = jdbc;
  }

  @Override
  public Path home() {
    return home.path();
  }

  @Override
  public ServedChain chain() {
    return ServedChain.of(home.path(), tls.vasa().current().chain(), true);
  }

  @Override
  public Optional<String> nameInUrl() {
    return settings.tls().names().stream().findFirst();
  }

  @Override
  public String databaseUrl() {
    return settings.database().url();
  }

  @Override
  public Instant databaseClock() {
    return jdbc.sql("SELECT clock_timestamp()").query(Timestamp.class).single().toInstant();
  }
}
