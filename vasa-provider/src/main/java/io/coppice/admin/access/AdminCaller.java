package io.coppice.admin.access;

import io.coppice.api.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.UUID;

/// The sender of a request.
///
/// @param token id of the token
/// @param name the token's name
public record AdminCaller(UUID token, String name, Role role) {

  private static final String ATTRIBUTE = AdminCaller.class.getName();

  public void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  public static Optional<AdminCaller> of(HttpServletRequest request) {
    return Optional.ofNullable((AdminCaller) request.getAttribute(ATTRIBUTE));
  }
}
