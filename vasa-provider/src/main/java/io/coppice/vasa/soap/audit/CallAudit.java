package io.coppice.vasa.soap.audit;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.AuditLog;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.session.LogThrottle;
import io.coppice.vasa.session.VasaCaller;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.BatchVirtualVolumeHandleResult;
import io.coppice.wsdl.vvol.TaskInfo;
import jakarta.jws.WebParam;
import jakarta.xml.bind.JAXBElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The frame around each call of VASA that may change something: what became of it stands in the
/// audit trail before its answer goes out. Of arguments and results only [ShownFields] are
/// recorded. Refusals of callers without a session are recorded once a minute for each address,
/// operation and fault, with a count: strangers must not push out what others did.
@Component
public final class CallAudit {

  /// Operations that change nothing that outlives their session, beside those whose names begin so.
  private static final Set<String> READING =
      Set.of(
          "allocatedBitmapVirtualVolume",
          "setPEContext",
          "setStatisticsContext",
          "setStorageContainerContext",
          "spaceStatsForStorageContainer",
          "spaceStatsForVirtualVolume",
          "unsharedBitmapVirtualVolume",
          "unsharedChunksVirtualVolume");

  private static final List<String> READING_BEGINNINGS = List.of("get", "query");

  /// What a call is about, in the order of preference.
  private static final List<String> OBJECTS =
      List.of(
          "vvolId",
          "dstVVolId",
          "uniqueId",
          "containerId",
          "taskId",
          "deviceGroupId",
          "hostGuid",
          "vcGuid",
          "entityId");

  private static final String ENDED_WITH_ERROR = "Error";
  private static final String RUNS = "Running";

  /// Beginning of the names of actors without a session.
  private static final String STRANGER = "client at ";

  private final AuditLog entries;
  private final VasaSessions sessions;
  private final InstantSource clock;
  private final LogThrottle strangers;

  public CallAudit(AuditLog entries, VasaSessions sessions, InstantSource clock) {
    this.entries = entries;
    this.sessions = sessions;
    this.clock = clock;
    this.strangers = new LogThrottle(Duration.ofMinutes(1), clock);
  }

  /// Whether calls of an operation are recorded.
  public static boolean isRecorded(String operation) {
    return !READING.contains(operation)
        && READING_BEGINNINGS.stream().noneMatch(operation::startsWith);
  }

  /// Begins a call.
  ///
  /// @param parameters as the method takes them
  public Call begin(
      String operation, VasaCaller caller, Method method, @Nullable Object[] parameters) {
    return new Call(operation, caller, method, parameters);
  }

  /// One call, from its begin to its answer.
  public final class Call {

    private final String operation;
    private final VasaCaller caller;
    private final boolean recorded;
    private final List<Detail> details = new ArrayList<>();
    private final ChangeNotes notes = new ChangeNotes();
    private final Actor actor;

    private Call(
        String operation, VasaCaller caller, Method method, @Nullable Object[] parameters) {
      this.operation = operation;
      this.caller = caller;
      this.recorded = isRecorded(operation);
      this.actor = sessions.actorOf(caller); // before a call that ends the session
      for (int i = 0; recorded && i < parameters.length; i++) {
        WebParam name = method.getParameters()[i].getAnnotation(WebParam.class);
        ShownFields.tell(
            name == null ? "" : name.name(),
            parameters[i],
            (field, value) -> details.add(Detail.asked(field, value)));
      }
    }

    /// Runs the operation, whose changes are noted.
    public Object run(Callable<Object> work) throws Exception {
      return notes.call(work::call);
    }

    /// Records the end of the call.
    ///
    /// @return the result
    public Object done(Object result) {
      if (recorded) {
        List<Detail> after = new ArrayList<>();
        ShownFields.tell("", result, (field, value) -> after.add(Detail.after(field, value)));
        write(outcome(result, after), null, after);
      }
      return result;
    }

    /// Records the end of the call by a fault.
    ///
    /// @return the fault
    public FaultTranslation.Answer failed(FaultTranslation.Answer answer) {
      if (recorded) {
        write(outcome(answer.fault()), answer.fault().name(), List.of());
      }
      return answer;
    }

    private void write(Outcome outcome, @Nullable String code, List<Detail> after) {
      if (code != null && isStranger()) {
        long times = strangers.count("%s %s %s".formatted(caller.address(), operation, code));
        if (times == 0) {
          return;
        }
        details.add(Detail.asked("times", Long.toString(times)));
      }
      List<Detail> all = new ArrayList<>(details);
      all.addAll(notes.details());
      all.addAll(after);
      entries.append(
          new AuditRecord(
              notes.recordId(),
              clock.instant(),
              Channel.VASA,
              new Author(
                  actor.name(),
                  null,
                  caller
                      .chain()
                      .map(chain -> chain.fingerprint() + " " + chain.subject())
                      .orElse(null),
                  caller.address()),
              operation,
              object(),
              null,
              outcome,
              code,
              all));
    }

    /// Whether the caller has no session.
    private boolean isStranger() {
      return actor.name().startsWith(STRANGER);
    }

    private @Nullable String object() {
      for (String name : OBJECTS) {
        for (Detail detail : details) {
          if (detail.name().equals(name)) {
            return detail.value();
          }
        }
      }
      return null;
    }
  }

  private static Outcome outcome(Fault fault) {
    return switch (fault) {
      case Fault.StorageFault _ -> Outcome.FAILED;
      case Fault.Timeout _ -> Outcome.FAILED;
      default -> Outcome.REFUSED;
    };
  }

  /// The outcome of a call that was answered without a fault: what stands in the answer may be one.
  private static Outcome outcome(Object result, List<Detail> after) {
    if (result instanceof TaskInfo task) {
      return switch (task.getTaskState()) {
        case ENDED_WITH_ERROR -> Outcome.FAILED;
        case RUNS -> Outcome.ACCEPTED;
        default -> Outcome.DONE;
      };
    }
    if (!(result instanceof Collection<?> parts) || parts.isEmpty()) {
      return Outcome.DONE;
    }
    int failed = 0;
    for (Object part : parts) {
      String fault = faultOf(part);
      if (fault != null) {
        failed++;
        after.add(Detail.after("fault", fault));
      }
    }
    return failed == parts.size() ? Outcome.REFUSED : Outcome.DONE;
  }

  private static @Nullable String faultOf(Object part) {
    return switch (part) {
      case BatchReturnStatus status when status.getErrorResult() != null ->
          status.getErrorResult().getValue().getError().stream()
              .map(CallAudit::nameOf)
              .findFirst()
              .orElse(null);
      case BatchVirtualVolumeHandleResult bound when bound.getFault() != null ->
          nameOf(bound.getFault());
      default -> null;
    };
  }

  private static String nameOf(Object fault) {
    return fault instanceof JAXBElement<?> element
        ? nameOf(element.getValue())
        : fault.getClass().getSimpleName();
  }
}
