package io.coppice.vasa.soap.argument;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The checks of one service's requests, and the names that they ignore. Each name is logged once
/// for a client.
///
/// Safe for any thread.
public final class ArgumentChecks {

  private static final Logger log = LoggerFactory.getLogger(ArgumentChecks.class);

  /// Most clients whose names are remembered, and most names of each: they must fill neither the
  /// memory nor the log.
  private static final int CLIENTS = 1024;

  private static final int NAMES = 32;
  private static final int LONGEST_NAME = 100;

  private final RequestSchema schema;
  private final @Nullable RequestSchema later;
  private final Set<String> withoutArguments;

  // By address; guarded by this; oldest first.
  private final Map<String, Set<Name>> seen =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<Name>> eldest) {
          return size() > CLIENTS;
        }
      };

  /// @param later see [ArgumentCheck]
  public ArgumentChecks(
      RequestSchema schema, @Nullable RequestSchema later, Set<String> withoutArguments) {
    this.schema = schema;
    this.later = later;
    this.withoutArguments = Set.copyOf(withoutArguments);
  }

  private record Name(String operation, String element) {}

  /// The check of a message. Its exchange holds it from now on.
  ArgumentCheck of(Message message) {
    String address =
        message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request
            ? request.getRemoteAddr()
            : "";
    var check =
        new ArgumentCheck(
            schema,
            later,
            withoutArguments,
            (operation, name) -> report(address, new Name(operation, shortened(name))));
    message.getExchange().put(ArgumentCheck.class, check);
    return check;
  }

  private void report(String address, Name name) {
    if (remember(address, name)) {
      log.atInfo()
          .addKeyValue("address", address)
          .addKeyValue("operation", name.operation())
          .addKeyValue("element", name.element())
          .log("element of a version that is not known here, read over");
    }
  }

  /// @return whether it is new
  private synchronized boolean remember(String address, Name name) {
    Set<Name> names = seen.computeIfAbsent(address, _ -> new HashSet<>());
    return names.size() < NAMES && names.add(name);
  }

  private static String shortened(QName name) {
    String text = name.toString();
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…";
  }
}
