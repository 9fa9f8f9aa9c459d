/// What whole-system tests and the demo share: the provider as a process, an administrator's REST
/// client, disks, and a write load that knows what was acknowledged.
@NullMarked
package io.coppice.harness;

import org.jspecify.annotations.NullMarked;
