package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// A task of the provider. `result` is the text of a simple result; `prepared` that of a prepared
/// snapshot.
public record TaskInfo(
    String taskId,
    String name,
    String state,
    int progress,
    boolean progressAvailable,
    boolean cancelable,
    boolean cancelled,
    @Nullable String arrayId,
    @Nullable String result,
    @Nullable PreparedSnapshot prepared,
    @Nullable VasaFault error) {
  public static final String QUEUED = "Queued";
  public static final String RUNNING = "Running";
  public static final String SUCCESS = "Success";
  public static final String ERROR = "Error";

  /// The snapshot that a finished `prepareToSnapshotVirtualVolume` names.
  public record PreparedSnapshot(String snapshotId, VvolInfo parentInfo, SpaceStats parentStats) {}

  static TaskInfo of(Xml x) {
    String name = x.required("vvol:name");
    Xml result = x.find("vvol:result");
    Xml error = x.find("vvol:error");
    boolean prepared = result != null && result.type().equals("PrepareSnapshotResult");
    return new TaskInfo(
        x.required("vvol:taskId"),
        name,
        x.required("vvol:taskState"),
        (int) x.number("vvol:progress"),
        x.flag("vvol:progressUpdateAvailable"),
        x.flag("vvol:cancelable"),
        x.flag("vvol:cancelled"),
        x.text("vvol:arrayId"),
        result == null || prepared ? null : result.text(),
        result != null && prepared ? prepared(result) : null,
        error == null ? null : VasaFault.ofItem(name, error));
  }

  private static PreparedSnapshot prepared(Xml x) {
    return new PreparedSnapshot(
        x.required("vvol:snapshotId"),
        VvolInfo.of(x.one("vvol:parentInfo")),
        SpaceStats.of(x.one("vvol:parentStats")));
  }

  public boolean ended() {
    return state.equals(SUCCESS) || state.equals(ERROR);
  }

  /// The id that a finished create or clone made.
  public String requireResult() {
    if (result == null) {
      throw new IllegalStateException(
          "expected task %s to have a result, got %s".formatted(taskId, this));
    }
    return result;
  }
}
