package io.coppice.app.setting;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.web.server.PortInUseException;

/// A failure to start Coppice. The message is one sentence for the operator.
public final class StartupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }

  /// The failure as one sentence. An unexpected one keeps its stack trace.
  public static StartupException of(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartupException expected) {
        return expected;
      }
      Optional<Integer> port = portInUse(cause);
      if (port.isPresent()) {
        return new StartupException(
            "the port %d is in use: expected free ones for coppice.vasa.port and"
                    .formatted(port.get())
                + " coppice.management.port",
            thrown);
      }
      if (cause instanceof IllegalArgumentException illegal
          && String.valueOf(illegal.getMessage()).matches("(expected )?coppice\\.(?s:.*)")) {
        return new StartupException(String.valueOf(illegal.getMessage()), thrown);
      }
    }
    throw unreadableSetting(thrown).orElseThrow(() -> thrown);
  }

  private static Optional<StartupException> unreadableSetting(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException bind && bind.getProperty() != null) {
        return Optional.of(
            new StartupException(
                "%s: expected %s, got \"%s\""
                    .formatted(
                        bind.getName(), kind(bind.getTarget()), bind.getProperty().getValue()),
                thrown));
      }
    }
    return Optional.empty();
  }

  private static String kind(Bindable<?> target) {
    Class<?> type = target.getType().resolve(Object.class);
    if (type.isEnum()) {
      return "one of "
          + Stream.of(type.getEnumConstants())
              .map(each -> each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.joining(", "));
    }
    return switch (type.getSimpleName()) {
      case "int", "long" -> "a whole number";
      case "boolean" -> "true or false";
      case "Duration" -> "a time such as 30s or 10m";
      case "DataSize" -> "a size such as 64MB or 2GB";
      default -> "another value";
    };
  }

  private static Optional<Integer> portInUse(Throwable cause) {
    return switch (cause) {
      case PortInUseException inUse -> Optional.of(inUse.getPort());
      case org.springframework.boot.tomcat.ConnectorStartFailedException failed ->
          Optional.of(failed.getPort());
      default -> Optional.empty();
    };
  }
}
