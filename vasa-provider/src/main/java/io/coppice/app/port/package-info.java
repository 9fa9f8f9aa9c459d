/// The two TLS ports: their connectors, the limits of their connections, and the filters that a
/// request passes before Spring. Begin with [io.coppice.app.port.Ports]. May depend on
/// `app.setting` and `app.tls`.
@NullMarked
package io.coppice.app.port;

import org.jspecify.annotations.NullMarked;
