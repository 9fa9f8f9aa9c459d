/// Runbooks over REST: what there is, their runs, and their reports.
@NullMarked
package io.coppice.admin.runbook;

import org.jspecify.annotations.NullMarked;
