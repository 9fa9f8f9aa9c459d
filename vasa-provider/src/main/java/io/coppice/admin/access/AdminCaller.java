package io.coppice.admin.access;

import io.coppice.api.Role;
import io.coppice.vasa.viewer.Viewer;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The sender of a request.
///
/// @param id of the token; of the account for a session
/// @param name of the token or the account
/// @param containers that the caller is bound to; empty for a role that is bound to none
/// @param session that the request came with; null if it came with a token
public record AdminCaller(
    UUID id, String name, Role role, List<UUID> containers, @Nullable BySession session) {

  private static final String ATTRIBUTE = AdminCaller.class.getName();

  public AdminCaller {
    containers = List.copyOf(containers);
  }

  /// A session of a browser.
  ///
  /// @param account that Coppice keeps; null for people of other sources
  /// @param source that vouched for the person at the login
  /// @param ends when it ends, unless it is used until then
  /// @param endsAtLatest when it ends however it is used
  public record BySession(
      UUID id, @Nullable UUID account, String source, Instant ends, Instant endsAtLatest) {}

  /// The holder of a token.
  public static AdminCaller ofToken(UUID id, String name, Role role, List<UUID> containers) {
    return new AdminCaller(id, name, role, containers, null);
  }

  public void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  public static Optional<AdminCaller> of(HttpServletRequest request) {
    return Optional.ofNullable((AdminCaller) request.getAttribute(ATTRIBUTE));
  }

  /// Whether the caller is bound to storage containers.
  public boolean isBound() {
    return role.isBound();
  }

  /// Whether the caller is in a session of an account that this provider keeps.
  public boolean isAccount() {
    return session != null && session.account() != null;
  }

  /// Whether another look at the same credentials found the same rights.
  public boolean hasRightsOf(AdminCaller before) {
    return role == before.role && containers.equals(before.containers);
  }

  /// Runs `work`, which sees what the caller may see.
  public <T> T call(Callable<T> work) throws Exception {
    return isBound() ? Viewer.callBound(id, containers, work) : work.call();
  }
}
