/// Files and folders that only their owner may read and write.
///
/// Entry point: [io.coppice.engine.files.OwnerOnly]. Depends on no other package.
@NullMarked
package io.coppice.engine.files;

import org.jspecify.annotations.NullMarked;
