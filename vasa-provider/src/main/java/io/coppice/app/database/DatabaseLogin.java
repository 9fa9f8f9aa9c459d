package io.coppice.app.database;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;

/// The product's login to a PostgreSQL server: by SCRAM-SHA-256, in which the server, too, proves
/// that it knows the password, and does not learn it. A server that asks for the password in
/// another way, or for none, is refused before it is told anything.
final class DatabaseLogin {

  /// Property of the driver that names the only way in.
  public static final String METHOD_PROPERTY = "requireAuth";

  public static final String METHOD = "scram-sha-256";

  // The driver has no code of its own for this refusal.
  private static final String REFUSED_METHOD = "not allowed by " + METHOD_PROPERTY;

  private DatabaseLogin() {}

  /// Properties of a connection. The query of a URL takes precedence over them.
  public static Properties properties(String user, String password) {
    var properties = new Properties();
    properties.put("user", user);
    properties.put("password", password);
    properties.put(METHOD_PROPERTY, METHOD);
    return properties;
  }

  /// The reason, for the operator, that there is no connection.
  public static String reason(SQLException failure) {
    Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
    String message = String.valueOf(cause.getMessage());
    return message.contains(REFUSED_METHOD)
        ? "expected a server that asks for the password by "
            + METHOD
            + ", got one that asks in another way or not at all (its pg_hba.conf, or a password"
            + " stored with md5)"
        : message;
  }
}
