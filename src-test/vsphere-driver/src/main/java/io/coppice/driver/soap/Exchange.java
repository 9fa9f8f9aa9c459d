package io.coppice.driver.soap;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An exchange of a request and its reply: what each group of calls needs of a client.
interface Exchange {

  /// Any operation with any arguments; null arguments are an empty body.
  Optional<Xml> call(String operation, @Nullable Consumer<XmlText> arguments);

  /// An operation that must answer with a wrapper element.
  default Xml ask(String operation, @Nullable Consumer<XmlText> arguments) {
    return call(operation, arguments)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "expected %sResponse, got an empty body".formatted(operation)));
  }

  /// An operation that returns one value.
  default <T> T one(
      String operation, Function<Xml, T> value, @Nullable Consumer<XmlText> arguments) {
    return value.apply(ask(operation, arguments).one("ns:return"));
  }

  /// An operation that returns any number of values.
  default <T> List<T> all(
      String operation, Function<Xml, T> value, @Nullable Consumer<XmlText> arguments) {
    return ask(operation, arguments).all("ns:return").stream().map(value).toList();
  }

  /// An operation that answers for each item of a batch.
  default List<BatchStatus> batch(String operation, Consumer<XmlText> arguments) {
    return all(operation, item -> BatchStatus.of(operation, item), arguments);
  }

  /// An operation whose answer must be an empty body.
  default void send(String operation, Consumer<XmlText> arguments) {
    Optional<Xml> reply = call(operation, arguments);
    if (reply.isPresent()) {
      throw new IllegalStateException(
          "%s: expected an empty body, got %s".formatted(operation, reply.get()));
    }
  }
}
