package io.coppice.api.account;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sources by which one may log in, as a login page asks for them.
///
/// @param sources in the order in which a login that names none asks those with passwords; then
///   those at which a browser logs in
public record LoginSources(List<LoginSources.LoginSource> sources) {

  public LoginSources {
    sources = List.copyOf(sources);
  }

  /// A source of people.
  ///
  /// @param name value of the field `source` of a login, and of sessions
  /// @param kind `password` or `browser`
  /// @param begin path of this port at which the login of a browser begins; null for passwords
  public record LoginSource(String name, String kind, @Nullable String begin) {}
}
