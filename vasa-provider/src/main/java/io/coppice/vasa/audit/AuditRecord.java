package io.coppice.vasa.audit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The record of one call, before it has its place in the chain. Texts and details are bounded
/// here, whoever sent them.
///
/// @param id tells it from all others, so that a repeated write adds nothing
/// @param at when the call ended, in microseconds
/// @param action method and path of REST, operation of VASA, or name of the tool
/// @param object what it was about, as its caller named it; null for none
/// @param trace id of the request in the log; null for none
/// @param code of the problem, or name of the fault; null if there was none
public record AuditRecord(
    UUID id,
    Instant at,
    Channel channel,
    Author author,
    String action,
    @Nullable String object,
    @Nullable String trace,
    Outcome outcome,
    @Nullable String code,
    List<Detail> details) {

  /// Most details of one record.
  static final int MOST_DETAILS = 64;

  private static final int LONGEST = 512;

  public AuditRecord {
    at = at.truncatedTo(ChronoUnit.MICROS);
    action = AuditText.bounded(action, LONGEST);
    object = AuditText.orNull(object, LONGEST);
    trace = AuditText.orNull(trace, LONGEST);
    code = AuditText.orNull(code, LONGEST);
    details = bounded(details);
  }

  private static List<Detail> bounded(List<Detail> all) {
    if (all.size() <= MOST_DETAILS) {
      return List.copyOf(all);
    }
    List<Detail> some = new ArrayList<>(all.subList(0, MOST_DETAILS - 1));
    some.add(Detail.asked("leftOut", Integer.toString(all.size() - some.size())));
    return List.copyOf(some);
  }

  /// A record of the provider about its own trail.
  static AuditRecord own(Instant at, String action, Outcome outcome, Detail... details) {
    return new AuditRecord(
        UUID.randomUUID(),
        at,
        Channel.COPPICE,
        Author.COPPICE,
        action,
        null,
        null,
        outcome,
        null,
        List.of(details));
  }

  /// Whether it is a record of the provider about its own trail.
  boolean isOwn(String wanted) {
    return channel == Channel.COPPICE && action.equals(wanted);
  }

  /// The value of the first detail of a name, if it has one.
  public Optional<String> value(String name) {
    return details.stream()
        .filter(detail -> detail.name().equals(name))
        .findFirst()
        .flatMap(detail -> Optional.ofNullable(detail.value()));
  }
}
