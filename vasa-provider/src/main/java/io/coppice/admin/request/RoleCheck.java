package io.coppice.admin.request;

import io.coppice.admin.Readiness;
import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.AuditedRead;
import io.coppice.admin.access.BearerToken;
import io.coppice.admin.access.ChangesNothing;
import io.coppice.admin.access.OwnAccount;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.access.WithoutLogin;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.vasa.gate.WorkGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/// The check of a caller's role. A request passes if the role allows the method and, where the
/// method needs the database, the control plane is ready. A request without a caller does not pass,
/// whatever way it took around the filter.
public final class RoleCheck implements HandlerInterceptor {

  private static final String PASS = RoleCheck.class.getName() + ".pass";
  private static final String OPEN = RoleCheck.class.getName() + ".open";
  private static final Set<String> WITHOUT_DATABASE =
      Set.of(
          ApiFilter.ROOT + "/system",
          ApiFilter.ROOT + "/system/history",
          ApiFilter.ROOT + "/system/forecast",
          ApiFilter.ROOT + "/system/verdict",
          ApiFilter.ROOT + "/offloads/total",
          ApiFilter.ROOT + "/settings",
          ApiFilter.ROOT + "/support-bundle",
          ApiFilter.ROOT + "/certificates",
          ApiFilter.ROOT + "/registrations/form",
          ApiFilter.ROOT + "/version",
          ApiFilter.ROOT + "/session",
          ApiFilter.ROOT + "/session/sources",
          ApiFilter.ROOT + "/me");

  private final Readiness readiness;

  RoleCheck(Readiness readiness) {
    this.readiness = readiness;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!isOpen(request, handler)) {
      requireAllowed(AdminCaller.of(request), handler, reads(request));
    }
    if (!needsNoDatabase(request)) {
      if (reads(request)) {
        readiness.requireReady();
      } else {
        request.setAttribute(PASS, readiness.enter());
      }
    }
    return true;
  }

  private static void requireAllowed(Optional<AdminCaller> known, Object handler, boolean reads) {
    if (known.isPresent() && known.get().isAccount() && isForOwnAccount(handler)) {
      return;
    }
    if (known.isEmpty() || !known.get().isBound() || !isWithinContainers(handler)) {
      require(known, needed(handler, reads));
    }
  }

  /// Marks a request whose operation needs no login.
  static void open(HttpServletRequest request) {
    request.setAttribute(OPEN, true);
  }

  static boolean isOpen(HttpServletRequest request, Object handler) {
    return request.getAttribute(OPEN) != null && isWithoutLogin(handler);
  }

  /// Whether every account may call a handler in its session.
  public static boolean isForOwnAccount(Object handler) {
    return handler instanceof HandlerMethod method && method.hasMethodAnnotation(OwnAccount.class);
  }

  /// Whether everybody may call a handler.
  public static boolean isWithoutLogin(Object handler) {
    return handler instanceof HandlerMethod method
        && method.hasMethodAnnotation(WithoutLogin.class);
  }

  /// Whether a handler changes nothing though it is no GET.
  public static boolean changesNothing(@Nullable Object handler) {
    return handler instanceof HandlerMethod method
        && method.hasMethodAnnotation(ChangesNothing.class);
  }

  /// Whether the audit trail has the calls of a handler though they only read.
  static boolean isAuditedRead(@Nullable Object handler) {
    return handler instanceof HandlerMethod method && method.hasMethodAnnotation(AuditedRead.class);
  }

  /// Whether a token that is bound to containers may call a handler, too.
  public static boolean isWithinContainers(Object handler) {
    return handler instanceof HandlerMethod method
        && method.hasMethodAnnotation(WithinContainers.class);
  }

  /// @throws RequestRejectedException (401, 403) if the caller is unknown or has a smaller role
  public static void require(Optional<AdminCaller> known, Role needed) {
    AdminCaller caller =
        known.orElseThrow(() -> BearerToken.refusal("expected a token, got a request without"));
    if (!caller.role().includes(needed)) {
      throw new RequestRejectedException(
          HttpStatus.FORBIDDEN,
          "forbidden",
          null,
          "expected the role %s or a larger one, but '%s' has %s"
              .formatted(needed.text(), caller.name(), caller.role().text()));
    }
  }

  /// @param purge whether something is to be deleted past the recycle bin
  /// @throws RequestRejectedException (403) if it is, and the caller may not
  public static void requirePurging(boolean purge, HttpServletRequest request) {
    if (purge) {
      require(AdminCaller.of(request), Role.STORAGE_ADMIN);
    }
  }

  /// Whether a change has reached its operation. If the database goes away after that, the outcome
  /// is unknown.
  static boolean isBegun(HttpServletRequest request) {
    return request.getAttribute(PASS) != null;
  }

  /// Lets the request out of the gate. It is inside until its answer is made, however it ended.
  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    if (request.getAttribute(PASS) instanceof WorkGate.Pass pass) {
      pass.close();
    }
  }

  /// Whether the pool and the process answer a request alone, even while the database is away or
  /// its schema is not current.
  static boolean needsNoDatabase(HttpServletRequest request) {
    String path = request.getServletPath();
    return path.startsWith(ApiFilter.ROOT + "/iscsi")
        || reads(request)
            && (WITHOUT_DATABASE.contains(path)
                || isOrIsBelow(path, ApiFilter.ROOT + "/alerts")
                || path.startsWith(ApiFilter.ROOT + "/openapi"));
  }

  private static boolean isOrIsBelow(String path, String root) {
    return path.equals(root) || path.startsWith(root + "/");
  }

  /// The smallest role that may call a handler.
  ///
  /// @param reads whether the method changes nothing
  public static Role needed(Object handler, boolean reads) {
    if (handler instanceof HandlerMethod method) {
      RequiredRole allowed = method.getMethodAnnotation(RequiredRole.class);
      if (allowed != null) {
        return allowed.value();
      }
    }
    return reads ? Role.OPERATOR : Role.STORAGE_ADMIN;
  }

  static boolean reads(HttpServletRequest request) {
    return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
  }
}
