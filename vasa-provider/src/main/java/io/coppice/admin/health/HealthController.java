package io.coppice.admin.health;

import io.coppice.api.system.Health;
import io.coppice.api.system.Plane;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The health of the two planes. The data plane serves volumes and needs no database; the control
/// plane answers vCenter, hosts and REST. Every answer has the state of both with its reason; its
/// status is 200, or 503 where what was asked does not hold. Needs neither a token nor a database.
@RestController
final class HealthController {

  private final Planes planes;

  HealthController(Planes planes) {
    this.planes = planes;
  }

  /// Whether the process is of use. It is not once the pool has stopped, which only a new start
  /// ends. A control plane that does not answer is no reason for a restart: volumes are served, and
  /// it comes back by itself or needs an operator.
  @GetMapping("/livez")
  ResponseEntity<Health> live() {
    Plane data = dataPlane();
    return answer(data.ready(), data, controlPlane());
  }

  /// Whether both planes are ready.
  @GetMapping("/readyz")
  ResponseEntity<Health> ready() {
    Plane data = dataPlane();
    Plane control = controlPlane();
    return answer(data.ready() && control.ready(), data, control);
  }

  /// Whether volumes are served.
  @GetMapping("/readyz/data-plane")
  ResponseEntity<Health> dataPlaneReady() {
    Plane data = dataPlane();
    return answer(data.ready(), data, controlPlane());
  }

  /// Whether calls of vCenter, hosts and REST are answered.
  @GetMapping("/readyz/control-plane")
  ResponseEntity<Health> controlPlaneReady() {
    Plane control = controlPlane();
    return answer(control.ready(), dataPlane(), control);
  }

  private static ResponseEntity<Health> answer(boolean ok, Plane data, Plane control) {
    return ResponseEntity.status(ok ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .cacheControl(CacheControl.noStore())
        .header("X-Content-Type-Options", "nosniff")
        .body(new Health(ok, data, control));
  }

  private Plane dataPlane() {
    return planes.data();
  }

  private Plane controlPlane() {
    return planes.control();
  }
}
