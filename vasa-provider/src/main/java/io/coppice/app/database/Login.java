package io.coppice.app.database;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;

/// The way in which the product logs in to a PostgreSQL server: by SCRAM-SHA-256, in which the
/// server proves, too, that it knows the password, and hears nothing of it. One that asks for the
/// password in another way, or for none, is refused before it is told anything.
public final class Login {

  /// Property of the driver that names the only way in.
  public static final String METHOD_PROPERTY = "requireAuth";

  public static final String METHOD = "scram-sha-256";

  // The driver has no code of its own for this.
  private static final String REFUSED_METHOD = "not allowed by " + METHOD_PROPERTY;

  private Login() {}

  /// Properties of a connection. What the query of a URL says comes before them.
  public static Properties properties(String user, String password) {
    var properties = new Properties();
    properties.put("user", user);
    properties.put("password", password);
    properties.put(METHOD_PROPERTY, METHOD);
    return properties;
  }

  /// Why there is no connection, for the operator.
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
