package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.volume.LockState;
import io.coppice.api.volume.LockStateChange;
import io.coppice.vasa.volume.snapshot.LockLimit;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// The locks of snapshots as a whole.
@RestController
final class LockController {

  private final LockedSnapshots locks;
  private final LockLimit limit;

  LockController(LockedSnapshots locks, LockLimit limit) {
    this.locks = locks;
    this.limit = limit;
  }

  @GetMapping("/locks")
  LockState get() {
    List<Instant> ends = locks.ends();
    return new LockState(
        locks.now().truncatedTo(ChronoUnit.SECONDS),
        Objects.requireNonNull(IsoDurations.text(limit.longest())),
        ends.size(),
        ends.stream().min(Comparator.naturalOrder()).orElse(null));
  }

  /// Lowers the longest lock.
  @PatchMapping("/locks")
  @RequiredRole(Role.ADMIN)
  LockState change(@RequestBody LockStateChange wanted) {
    String text = RequestRejectedException.requireField("maxLock", wanted.maxLock());
    Duration longest = Objects.requireNonNull(IsoDurations.parse("maxLock", text));
    limit.lower(longest);
    return get();
  }
}
