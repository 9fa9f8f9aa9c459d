/// The application: start order and wiring. It sees everything; nothing but its tools sees it.
///
/// Start order: [io.coppice.app.DataPlane] from the pool alone, then the two ports, then in the
/// background [io.coppice.app.ControlPlane]: database, migration, pool link, the steps of the
/// features. Until it is ready SOAP answers VasaProviderBusy or StorageFault.
@NullMarked
package io.coppice.app;

import org.jspecify.annotations.NullMarked;
