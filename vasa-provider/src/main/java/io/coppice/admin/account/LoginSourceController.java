package io.coppice.admin.account;

import io.coppice.admin.access.OpenOperation;
import io.coppice.admin.access.WithoutLogin;
import io.coppice.admin.login.BrowserSource;
import io.coppice.admin.login.PasswordSource;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.account.LoginSources;
import io.coppice.api.account.LoginSources.LoginSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The sources by which one may log in, for a login page, which has no token. The answer says what
/// is set up and nothing of where: it is made once, and asks neither the database nor a server.
@RestController
final class LoginSourceController {

  private static final String PATH = "/session/sources";

  private final LoginSources sources;

  LoginSourceController(List<PasswordSource> passwords, List<BrowserSource> browsers) {
    List<LoginSource> all = new ArrayList<>();
    passwords.forEach(one -> all.add(new LoginSource(one.name(), "password", null)));
    for (BrowserSource one : browsers) {
      one.begin().ifPresent(begin -> all.add(new LoginSource(one.name(), "browser", begin)));
    }
    sources = new LoginSources(all);
  }

  /// Opens the operation to everybody.
  @Configuration(proxyBeanMethods = false)
  static class Open {

    @Bean
    OpenOperation openLoginSources() {
      return new OpenOperation("GET", ApiFilter.ROOT + PATH);
    }
  }

  @GetMapping(PATH)
  @WithoutLogin
  LoginSources show() {
    return sources;
  }
}
