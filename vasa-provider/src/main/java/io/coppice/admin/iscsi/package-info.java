/// The iSCSI target: protocol endpoints, exports, portals, and the work that hosts leave to the
/// array. Begin with [io.coppice.admin.iscsi.ExportController].
@NullMarked
package io.coppice.admin.iscsi;

import org.jspecify.annotations.NullMarked;
