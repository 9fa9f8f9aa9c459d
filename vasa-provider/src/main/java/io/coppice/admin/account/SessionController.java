package io.coppice.admin.account;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.OpenOperation;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.ShownOnce;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.access.WithoutLogin;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.login.BrowserSessions;
import io.coppice.admin.login.CrossSite;
import io.coppice.admin.login.PasswordLogin;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.account.BrowserSession;
import io.coppice.api.account.Login;
import io.coppice.api.account.OwnSession;
import io.coppice.api.account.PasswordChange;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The sessions of browsers: logging in and out, one's own password, and those of all others.
@RestController
final class SessionController {

  private static final Orders<BrowserSession> ORDERS =
      Orders.<BrowserSession>ofIds("opened", BrowserSession::id)
          .time("opened", BrowserSession::opened)
          .time("used", BrowserSession::used)
          .text("name", BrowserSession::name);

  private final PasswordLogin login;
  private final BrowserSessions sessions;

  SessionController(PasswordLogin login, BrowserSessions sessions) {
    this.login = login;
    this.sessions = sessions;
  }

  /// The one operation of these that needs no login.
  @Configuration(proxyBeanMethods = false)
  static class Open {

    @Bean
    OpenOperation openLogin() {
      return new OpenOperation("POST", ApiFilter.ROOT + "/session");
    }
  }

  @PostMapping("/session")
  @ResponseStatus(HttpStatus.CREATED)
  @WithoutLogin
  @ShownOnce
  OwnSession open(
      @RequestBody Login wanted, HttpServletRequest request, HttpServletResponse response) {
    CrossSite.requireOwnOrigin(request);
    login.open(wanted, request, response);
    return sessions.own(request);
  }

  @GetMapping("/session")
  @WithinContainers
  OwnSession show(HttpServletRequest request) {
    return sessions.own(request);
  }

  @DeleteMapping("/session")
  @RequiredRole(Role.OPERATOR)
  @WithinContainers
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void close(HttpServletRequest request, HttpServletResponse response) {
    sessions.endOwn(request, response);
  }

  @PutMapping("/me/password")
  @RequiredRole(Role.OPERATOR)
  @WithinContainers
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void changePassword(@RequestBody PasswordChange wanted, HttpServletRequest request) {
    login.changeOwn(wanted, AdminCaller.of(request).orElseThrow(), request.getRemoteAddr());
  }

  @GetMapping("/sessions")
  @RequiredRole(Role.ADMIN)
  Page<BrowserSession> list(
      @ParameterObject @SortedBy({"opened", "used", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        sessions.list().stream().filter(it -> name == null || it.name().equals(name)).toList(),
        ORDERS,
        session -> session);
  }

  @DeleteMapping("/sessions/{id}")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void end(@PathVariable UUID id) {
    sessions.end(id);
  }
}
