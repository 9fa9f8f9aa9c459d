package io.coppice.vasa.viewer;

import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The reader on whose behalf the running code reads: a registration of VASA, or a token of REST
/// that is bound to storage containers. Containers that are limited to other registrations, or to
/// which the token is not bound, do not exist for it, nor does their content. It is bound for the
/// extent of one call. The provider's own work and calls with other tokens have none and see
/// everything.
///
/// The condition stands in the queries themselves, so that a new reader of these rows needs no
/// check of its own. All ids stand in the text, since each query has parameters of its own kind; a
/// UUID is safe there, as it has hexadecimal digits only.
public final class Viewer {

  private static final ScopedValue<Optional<Limit>> CURRENT = ScopedValue.newInstance();

  private Viewer() {}

  /// The limit of what a viewer sees.
  private sealed interface Limit {

    /// The containers that are offered to a registration.
    record Offers(UUID registration) implements Limit {}

    /// The containers that a token is bound to.
    record Bounds(UUID token, Set<UUID> containers) implements Limit {}
  }

  /// Runs `work` on behalf of a registration.
  public static <T> T call(UUID registration, Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, Optional.of(new Limit.Offers(registration))).call(work::call);
  }

  /// Runs `work` on behalf of a token that is bound to containers, or to none.
  public static <T> T callBound(UUID token, Collection<UUID> containers, Callable<T> work)
      throws Exception {
    Limit bounds = new Limit.Bounds(token, Set.copyOf(containers));
    return ScopedValue.where(CURRENT, Optional.of(bounds)).call(work::call);
  }

  /// Runs `work` on behalf of nobody, for objects that a caller was given by another way than the
  /// container.
  public static <T> T unlimited(Supplier<T> work) {
    return ScopedValue.where(CURRENT, Optional.empty()).call(work::get);
  }

  /// The token on whose behalf the running code reads, if that is bound to containers. What is not
  /// in the database has to be chosen for it by the rows that it sees.
  public static Optional<UUID> boundToken() {
    return current().map(limit -> limit instanceof Limit.Bounds(UUID token, var _) ? token : null);
  }

  /// Whether something that is not in the database is for the current viewer: a bound token sees
  /// what is in its containers, everybody else but a registration everything.
  ///
  /// @param container null for what is in none, which no bound token sees
  public static boolean isWithin(@Nullable UUID container) {
    return current()
        .map(
            limit ->
                limit instanceof Limit.Bounds(var _, Set<UUID> own)
                    && container != null
                    && own.contains(container))
        .orElse(true);
  }

  /// The condition, in SQL, that a container is one that the current viewer may see.
  ///
  /// A limit outlives its container, and so hides the events that still mention it.
  ///
  /// @param container expression of type uuid; null is seen by registrations, and by no bound token
  public static String sees(String container) {
    Objects.requireNonNull(container);
    return current()
        .map(
            limit ->
                switch (limit) {
                  case Limit.Offers(UUID registration) -> isOffered(container, registration);
                  case Limit.Bounds(var _, Set<UUID> own) -> isAmong(container, own);
                })
        .orElse("true");
  }

  private static String isOffered(String container, UUID registration) {
    return """
    not exists (select 1 from container_limit l where l.container_id = %s
      and not exists (select 1 from container_registration r
                       where r.container_id = l.container_id and r.trust_set = '%s'))
    """
        .formatted(container, registration);
  }

  private static String isAmong(String container, Set<UUID> own) {
    return own.isEmpty()
        ? "false"
        : own.stream()
            .map(id -> "'" + id + "'")
            .sorted()
            .collect(Collectors.joining(", ", container + " in (", ")"));
  }

  /// The condition, in SQL, that a task is one that the current viewer may see: of a container that
  /// it is offered, or begun with its token.
  ///
  /// @param container as in [#sees]
  /// @param token expression of type uuid: the bound token that began it
  public static String seesTask(String container, String token) {
    return boundToken().map(own -> "%s = '%s'".formatted(token, own)).orElse(sees(container));
  }

  /// The condition, in SQL, that a row is for everybody or for the current viewer.
  ///
  /// @param registration expression of type uuid; null is for everybody
  public static String isAddressed(String registration) {
    return current()
        .map(
            limit ->
                switch (limit) {
                  case Limit.Offers(UUID own) ->
                      "(%s is null or %s = '%s')".formatted(registration, registration, own);
                  case Limit.Bounds _ -> registration + " is null";
                })
        .orElse("true");
  }

  private static Optional<Limit> current() {
    return CURRENT.orElse(Optional.empty());
  }
}
