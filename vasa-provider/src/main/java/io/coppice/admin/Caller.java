package io.coppice.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.UUID;

/// Who sent a request.
///
/// @param token id of the token
/// @param name the token's name
record Caller(UUID token, String name, Role role) {

  private static final String ATTRIBUTE = Caller.class.getName();

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  static Optional<Caller> of(HttpServletRequest request) {
    return Optional.ofNullable((Caller) request.getAttribute(ATTRIBUTE));
  }
}
