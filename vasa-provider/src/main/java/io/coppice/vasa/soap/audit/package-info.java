/// The calls of VASA in the audit trail. Begin with [io.coppice.vasa.soap.audit.CallAudit].
@NullMarked
package io.coppice.vasa.soap.audit;

import org.jspecify.annotations.NullMarked;
