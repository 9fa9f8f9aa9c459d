package io.coppice.vasa.verdict;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// The facts about the running provider that only its process knows.
public interface ProviderFacts {

  Path home();

  /// The chain that the VASA port serves now.
  ServedChain chain();

  /// The name in the URL that vCenter uses, if it is set.
  Optional<String> nameInUrl();

  /// URL of the database's server; blank for the embedded one.
  String databaseUrl();

  /// The time by the database's clock.
  ///
  /// @throws org.springframework.dao.DataAccessException if it cannot be asked
  Instant databaseClock();
}
