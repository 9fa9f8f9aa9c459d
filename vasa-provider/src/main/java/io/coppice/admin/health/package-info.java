/// The health of the process, for orchestrators and load balancers, who have no token. Begin with
/// [io.coppice.admin.health.HealthController]. May depend on `admin` alone.
@NullMarked
package io.coppice.admin.health;

import org.jspecify.annotations.NullMarked;
