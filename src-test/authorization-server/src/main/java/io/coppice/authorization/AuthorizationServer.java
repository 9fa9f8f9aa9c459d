package io.coppice.authorization;

import java.util.List;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/// Spring's authorization server with the people `anna`, in the group `storage`, and `ben`, in
/// none. Their passwords are `password-of-anna` and `password-of-ben`. The client, the address and
/// the certificate come as settings of Spring Boot on the command line.
@SpringBootApplication(proxyBeanMethods = false)
public class AuthorizationServer {

  /// Starts the server; it runs until the process ends.
  public static void main(String[] args) {
    SpringApplication.run(AuthorizationServer.class, args);
  }

  @Bean
  UserDetailsService people() {
    return new InMemoryUserDetailsManager(
        User.withUsername("anna").password("{noop}password-of-anna").roles("storage").build(),
        User.withUsername("ben").password("{noop}password-of-ben").roles().build());
  }

  /// Puts name and groups into the ID token.
  @Bean
  OAuth2TokenCustomizer<JwtEncodingContext> claims() {
    return context -> {
      if (context.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
        Authentication person =
            Objects.requireNonNull(
                context.<Authentication>getPrincipal(), "somebody has logged in");
        String name = person.getName();
        context.getClaims().claim("preferred_username", name);
        context.getClaims().claim("groups", name.equals("anna") ? List.of("storage") : List.of());
      }
    };
  }
}
