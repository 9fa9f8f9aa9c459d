package io.coppice.admin.login;

import java.util.Optional;

/// A source at which a browser logs in, away from this port. Every bean of this type is one, if it
/// is set up.
public interface BrowserSource {

  /// The source of the identities that it makes, such as `openid`.
  String name();

  /// The path of this port at which a login begins; empty if the source is not set up.
  Optional<String> begin();
}
