/// Plays vCenter's storage monitoring service. Entry point: [io.coppice.driver.vcenter.VCenter].
@NullMarked
package io.coppice.driver.vcenter;

import org.jspecify.annotations.NullMarked;
