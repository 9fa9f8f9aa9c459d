/// The audit trail, as administrators read and verify it.
@NullMarked
package io.coppice.admin.audit;

import org.jspecify.annotations.NullMarked;
