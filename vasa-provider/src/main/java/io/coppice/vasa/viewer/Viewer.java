package io.coppice.vasa.viewer;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// The registration on whose behalf the running code reads. Storage containers that are limited to
/// other registrations do not exist for it, nor does their content. It is bound for the extent of
/// one VASA call. The provider's own work and calls of administrators have none and see everything.
///
/// The condition stands in the queries themselves, so that a new reader of these rows needs no
/// check of its own.
public final class Viewer {

  private static final ScopedValue<Optional<UUID>> CURRENT = ScopedValue.newInstance();

  private Viewer() {}

  /// Runs `work` on behalf of a registration.
  public static <T> T call(UUID registration, Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, Optional.of(registration)).call(work::call);
  }

  /// Runs `work` on behalf of nobody, for objects that a caller was given by another way than the
  /// container.
  public static <T> T unlimited(Supplier<T> work) {
    return ScopedValue.where(CURRENT, Optional.empty()).call(work::get);
  }

  /// The condition, in SQL, that a container is one that the current viewer is offered.
  ///
  /// A limit outlives its container, and so hides the events that still mention it. The
  /// registration stands in the text, since each query has parameters of its own kind; a UUID is
  /// safe there, as it has hexadecimal digits only.
  ///
  /// @param container expression of type uuid; null is seen by everybody
  public static String sees(String container) {
    return current()
        .map(
            registration ->
                """
                not exists (select 1 from container_limit l where l.container_id = %s
                  and not exists (select 1 from container_registration r
                                   where r.container_id = l.container_id and r.trust_set = '%s'))
                """
                    .formatted(Objects.requireNonNull(container), registration))
        .orElse("true");
  }

  /// The condition, in SQL, that a row is for everybody or for the current viewer.
  ///
  /// @param registration expression of type uuid; null is for everybody
  public static String isAddressed(String registration) {
    return current()
        .map(own -> "(%s is null or %s = '%s')".formatted(registration, registration, own))
        .orElse("true");
  }

  private static Optional<UUID> current() {
    return CURRENT.orElse(Optional.empty());
  }
}
