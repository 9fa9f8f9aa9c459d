package io.coppice.admin.system;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The first questions of a client: which software answers, and as whom. Needs no database.
@RestController
final class ClientController {

  private static final String API = "v1";

  private final SystemFacts facts;

  ClientController(SystemFacts facts) {
    this.facts = facts;
  }

  /// @param version of the software
  /// @param api version of the API, as in its paths
  record Version(String version, String api) {}

  @GetMapping("/version")
  Version version() {
    return new Version(facts.version(), API);
  }

  /// @param token id of the token; zeros for the one in the home
  /// @param name the token's name
  record Me(UUID token, String name, Role role) {}

  @GetMapping("/me")
  Me me(HttpServletRequest request) {
    AdminCaller caller = AdminCaller.of(request).orElseThrow();
    return new Me(caller.token(), caller.name(), caller.role());
  }
}
