package io.coppice.admin.event;

import io.coppice.admin.job.Jobs;
import io.coppice.api.job.Job;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.task.VasaTask;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The changes of jobs since somebody began to look, up to a number. A job of which several changes
/// come between two looks has the last of them only. Safe for any thread.
final class JobChanges {

  /// Jobs that one look compares, besides those that it has seen unfinished. More than these that
  /// begin and end between two looks are missed.
  private static final int COMPARED = 200;

  private final Tasks tasks;

  // Guarded by this.
  private final RecentChanges<Job> changes = new RecentChanges<>();
  private Map<String, Job> seen = new HashMap<>();

  JobChanges(Tasks tasks) {
    this.tasks = tasks;
  }

  /// Forgets what was seen before, and takes the jobs of now as known.
  synchronized void begin() {
    seen = current();
  }

  /// Compares the jobs with those of the look before.
  ///
  /// @return whether any has changed
  synchronized boolean look() {
    Map<String, Job> now = current();
    long before = changes.last();
    for (Job job : now.values()) {
      if (!job.equals(seen.get(job.id()))) {
        changes.add(job);
      }
    }
    seen = now;
    return changes.last() != before;
  }

  private Map<String, Job> current() {
    Map<String, Job> now = new HashMap<>();
    add(now, tasks.latest(COMPARED));
    add(now, tasks.unfinished());
    Set<String> ended = new HashSet<>();
    for (Job job : seen.values()) {
      if (job.finished() == null && !now.containsKey(job.id())) {
        ended.add(job.id());
      }
    }
    ended.forEach(id -> find(id).ifPresent(job -> now.put(id, job)));
    return now;
  }

  private Optional<Job> find(String id) {
    try {
      return Optional.of(Jobs.view(tasks.require(id)));
    } catch (VasaException e) {
      return Optional.empty(); // it was forgotten meanwhile
    }
  }

  private static void add(Map<String, Job> all, Collection<VasaTask> some) {
    some.forEach(task -> all.put(task.id(), Jobs.view(task)));
  }

  /// The number of the last change.
  synchronized long last() {
    return changes.last();
  }

  /// The kept changes after one, in their order.
  synchronized List<Job> after(long number) {
    return changes.after(number);
  }

  /// The jobs as they are, without those that have ended.
  synchronized List<Job> unfinished() {
    return seen.values().stream().filter(job -> job.finished() == null).toList();
  }

  /// The jobs as they are, with those that have ended not long ago.
  synchronized List<Job> recent() {
    return List.copyOf(seen.values());
  }
}
