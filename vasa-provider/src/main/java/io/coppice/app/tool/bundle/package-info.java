/// The support bundle: what others need to see what is wrong, without secrets. Begin with
/// [SupportBundleCommand].
@NullMarked
package io.coppice.app.tool.bundle;

import org.jspecify.annotations.NullMarked;
