package io.coppice.vasa.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The notes of what features changed during one call, with the values before and after. They are
/// bound for the extent of the call. Safe for any thread.
public final class ChangeNotes {

  private static final ScopedValue<ChangeNotes> CURRENT = ScopedValue.newInstance();

  /// Values of a change that were so before it.
  private static final String BEFORE = "from";

  private static final String FORMER = "former";

  /// All fields of an object that may be changed, as one text.
  private static final String STATE = "state";

  private final List<Detail> details = new ArrayList<>();

  /// Runs `work`, whose changes come into these notes.
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
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
  public static void noteBefore(String state) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(Detail.before(STATE, state));
    }
  }

  /// Notes the state of the object of the running call after it was changed.
  public static void noteAfter(String state) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(Detail.after(STATE, state));
    }
  }

  private synchronized void add(Detail detail) {
    details.add(detail);
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

  /// What was noted so far.
  public synchronized List<Detail> details() {
    return List.copyOf(details);
  }
}
