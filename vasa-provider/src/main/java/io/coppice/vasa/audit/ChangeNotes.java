package io.coppice.vasa.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The notes of what features changed during one call, with the values before and after. They are
/// bound for the extent of the call. Safe for any thread.
public final class ChangeNotes {

  private static final ScopedValue<ChangeNotes> CURRENT = ScopedValue.newInstance();

  /// Values of a change that were so before it.
  private static final String BEFORE = "from";

  private static final String FORMER = "former";

  private final UUID recordId = UUID.randomUUID();
  private final List<Detail> details = new ArrayList<>();
  private @Nullable Map<String, @Nullable String> stateBefore;
  private @Nullable Map<String, @Nullable String> stateAfter;
  private boolean hasEndedJob;

  /// Runs `work`, whose changes come into these notes.
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// The id of the record that the running call will have; empty outside of one.
  public static Optional<UUID> currentRecord() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get().recordId) : Optional.empty();
  }

  /// The id of the record of this call.
  public UUID recordId() {
    return recordId;
  }

  /// Notes that the job of the running call has ended by now, so nothing goes on behind its answer.
  public static void noteEndedJob() {
    if (CURRENT.isBound()) {
      CURRENT.get().endedJob();
    }
  }

  private synchronized void endedJob() {
    hasEndedJob = true;
  }

  /// Whether the job of this call ended within it.
  public synchronized boolean hasEndedJob() {
    return hasEndedJob;
  }

  /// Notes a change of the running call; does nothing outside of one.
  ///
  /// @param message key of its sentence, whose last part says what changed
  /// @param parameters of the sentence; never a secret
  public static void note(String message, Map<String, String> parameters) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(message.substring(message.lastIndexOf('.') + 1), parameters);
    }
  }

  /// Notes the state of the object of the running call before it is changed.
  ///
  /// @param fields all that may be changed, by name
  public static void noteBefore(Map<String, @Nullable String> fields) {
    if (CURRENT.isBound()) {
      CURRENT.get().before(fields);
    }
  }

  /// Notes the state of the object of the running call after it was changed.
  ///
  /// @param fields all that may be changed, by name
  public static void noteAfter(Map<String, @Nullable String> fields) {
    if (CURRENT.isBound()) {
      CURRENT.get().after(fields);
    }
  }

  private synchronized void before(Map<String, @Nullable String> fields) {
    if (stateBefore == null) {
      stateBefore = fields;
    }
  }

  private synchronized void after(Map<String, @Nullable String> fields) {
    stateAfter = fields;
  }

  private synchronized void add(String what, Map<String, String> parameters) {
    if (parameters.isEmpty()) {
      details.add(Detail.after(what, ""));
    }
    if (details.size() < AuditRecord.MOST_DETAILS) {
      new TreeMap<>(parameters)
          .forEach(
              (name, value) -> {
                boolean before = name.equals(BEFORE) || name.startsWith(FORMER);
                String full = what + "." + name;
                details.add(before ? Detail.before(full, value) : Detail.after(full, value));
              });
    }
  }

  /// What was noted so far: first the fields of the object that changed, then the changes that
  /// features told.
  public synchronized List<Detail> details() {
    List<Detail> all = new ArrayList<>(FieldChange.between(stateBefore, stateAfter));
    all.addAll(details);
    return List.copyOf(all);
  }
}
