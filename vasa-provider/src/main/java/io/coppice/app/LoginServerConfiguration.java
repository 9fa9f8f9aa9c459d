package io.coppice.app;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.directory.LdapDirectory;
import io.coppice.admin.login.GroupRoles;
import io.coppice.admin.openid.OpenIdLogin;
import io.coppice.admin.openid.OpenIdSettings;
import io.coppice.admin.outside.OutsideRoles;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.StartupException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// The servers of others that people may log in by, where the settings name any.
@Configuration(proxyBeanMethods = false)
class LoginServerConfiguration {

  private static final String CALLBACK = "/login/openid/callback";

  @Bean
  GroupRoles groupRoles(CoppiceProperties properties) {
    return new OutsideRoles(
        Map.of(
            LdapDirectory.SOURCE,
            properties.ldap().rules(),
            OpenIdLogin.SOURCE,
            properties.openid().rules()));
  }

  @Bean
  @Conditional(WithLdap.class)
  LdapDirectory ldapDirectory(CoppiceProperties properties) {
    requireReadable("coppice.ldap.ca", properties.ldap().ca());
    requireReadable("coppice.ldap.bind.password-file", properties.ldap().bind().passwordFile());
    return new LdapDirectory(properties.ldap());
  }

  @Bean
  @Conditional(WithOpenId.class)
  OpenIdLogin openIdLogin(CoppiceProperties properties, SystemFacts facts) {
    OpenIdSettings settings = properties.openid();
    requireReadable("coppice.openid.ca", settings.ca());
    requireReadable("coppice.openid.client.secret-file", settings.client().secretFile());
    try {
      return new OpenIdLogin(
          settings,
          () ->
              settings.redirectUri().isBlank()
                  ? facts.management().get().resolve(CALLBACK)
                  : URI.create(settings.redirectUri()));
    } catch (IOException e) {
      throw new StartupException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireReadable(String setting, String file) {
    try {
      if (!file.isBlank()) {
        Files.readString(Path.of(file));
      }
    } catch (IOException e) {
      throw new StartupException(
          "%s: expected a file that can be read, got %s".formatted(setting, e), e);
    }
  }

  /// The condition that the settings name a directory.
  static final class WithLdap implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !Binder.get(context.getEnvironment())
          .bind("coppice.ldap.servers", Bindable.listOf(String.class))
          .orElse(List.of())
          .isEmpty();
    }
  }

  /// The condition that the settings name an authorization server.
  static final class WithOpenId implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !context.getEnvironment().getProperty("coppice.openid.issuer", "").isBlank();
    }
  }
}
