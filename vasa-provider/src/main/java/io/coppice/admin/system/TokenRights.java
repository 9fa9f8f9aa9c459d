package io.coppice.admin.system;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.system.Token;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/// The rights of a caller to tokens: an administrator's to all, an account's in its session to its
/// own. A token cannot make others, so that one that leaks ends with its own end.
///
/// @param owner the account; null for an administrator
record TokenRights(AdminCaller caller, @Nullable UUID owner) {

  /// @throws RequestRejectedException (403) if the caller may do nothing with tokens
  static TokenRights of(HttpServletRequest request) {
    AdminCaller caller = AdminCaller.of(request).orElseThrow();
    if (caller.role() == Role.ADMIN) {
      return new TokenRights(caller, null);
    }
    AdminCaller.BySession session = caller.session();
    if (session == null || session.account() == null) {
      throw forbidden(
          "expected the role admin, or the session of an account of this provider, got '%s' with %s"
              .formatted(caller.name(), caller.role().text()));
    }
    return new TokenRights(caller, session.account());
  }

  boolean has(Token token) {
    return owner == null || owner.equals(token.owner());
  }

  /// @throws RequestRejectedException (404) if it is unknown, or another's
  Token require(ApiTokens tokens, UUID id) {
    Token token = tokens.require(id);
    if (!has(token)) {
      throw RequestRejectedException.notFound("token", id);
    }
    return token;
  }

  /// @throws RequestRejectedException (403) if a token would be allowed more than the account
  void requireWithin(Role role, @Nullable List<UUID> containers) {
    boolean within =
        caller.role().covers(role)
            && (!caller.isBound()
                || containers == null
                || caller.containers().containsAll(containers));
    if (owner != null && !within) {
      throw forbidden(
          "expected no more than '%s' may itself (%s%s), got %s%s"
              .formatted(
                  caller.name(),
                  caller.role().text(),
                  caller.isBound() ? " in " + caller.containers() : "",
                  role.text(),
                  containers == null ? "" : " in " + containers));
    }
  }

  private static RequestRejectedException forbidden(String message) {
    return new RequestRejectedException(HttpStatus.FORBIDDEN, "forbidden", null, message);
  }
}
