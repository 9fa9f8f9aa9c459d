/// The settings of the iSCSI target, as records that check themselves.
///
/// Begin with [io.coppice.iscsi.setting.IscsiSettings]. Depends on the JDK alone.
@NullMarked
package io.coppice.iscsi.setting;

import org.jspecify.annotations.NullMarked;
