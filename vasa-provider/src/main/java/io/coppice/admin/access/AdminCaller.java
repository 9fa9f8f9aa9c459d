package io.coppice.admin.access;

import io.coppice.api.Role;
import io.coppice.vasa.viewer.Viewer;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;

/// The sender of a request.
///
/// @param token id of the token
/// @param name the token's name
/// @param containers that the token is bound to; empty for a role that is bound to none
public record AdminCaller(UUID token, String name, Role role, List<UUID> containers) {

  private static final String ATTRIBUTE = AdminCaller.class.getName();

  public AdminCaller {
    containers = List.copyOf(containers);
  }

  public void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  public static Optional<AdminCaller> of(HttpServletRequest request) {
    return Optional.ofNullable((AdminCaller) request.getAttribute(ATTRIBUTE));
  }

  /// Whether its token is bound to storage containers.
  public boolean isBound() {
    return role.isBound();
  }

  /// Runs `work`, which sees what the token may see.
  public <T> T call(Callable<T> work) throws Exception {
    return isBound() ? Viewer.callBound(token, containers, work) : work.call();
  }
}
