package io.coppice.admin.system;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.WithinContainers;
import io.coppice.api.system.Me;
import io.coppice.api.system.SoftwareVersion;
import jakarta.servlet.http.HttpServletRequest;
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

  @GetMapping("/version")
  @WithinContainers
  SoftwareVersion version() {
    return new SoftwareVersion(facts.version(), API);
  }

  @GetMapping("/me")
  @WithinContainers
  Me me(HttpServletRequest request) {
    AdminCaller caller = AdminCaller.of(request).orElseThrow();
    AdminCaller.BySession session = caller.session();
    return new Me(
        caller.id(),
        caller.name(),
        caller.role(),
        caller.isBound() ? caller.containers() : null,
        session == null ? "token" : session.source(),
        session == null ? null : session.ends());
  }
}
