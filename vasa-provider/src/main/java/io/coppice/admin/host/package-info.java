/// The users of the storage: registrations of vCenters, hosts, initiators, and the containers that
/// are offered to them. Begin with [io.coppice.admin.host.HostController].
@NullMarked
package io.coppice.admin.host;

import org.jspecify.annotations.NullMarked;
