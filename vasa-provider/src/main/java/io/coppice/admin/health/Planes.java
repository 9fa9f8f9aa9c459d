package io.coppice.admin.health;

import io.coppice.admin.Readiness;
import io.coppice.api.system.Plane;
import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.pool.StoragePool;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// The two planes. The data plane serves volumes and needs no database; the control plane answers
/// vCenter, hosts and REST.
@Component
public final class Planes {

  private final StoragePool pool;
  private final Readiness readiness;

  public Planes(StoragePool pool, Readiness readiness) {
    this.pool = pool;
    this.readiness = readiness;
  }

  /// The data plane; ready if volumes are served.
  public Plane data() {
    PoolStatus status = pool.status();
    return new Plane(!status.isStopped(), sentence(status.clause()));
  }

  /// The control plane; ready if calls are answered.
  public Plane control() {
    Optional<String> obstacle = readiness.obstacle();
    return new Plane(obstacle.isEmpty(), sentence(obstacle.orElse("calls are answered")));
  }

  private static String sentence(String clause) {
    String end = clause.endsWith(".") ? "" : ".";
    return Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + end;
  }
}
