/// Those who use the storage: registrations of vCenters, hosts, initiators, and the containers that
/// they are offered. Begin with [io.coppice.admin.host.HostController].
@NullMarked
package io.coppice.admin.host;

import org.jspecify.annotations.NullMarked;
