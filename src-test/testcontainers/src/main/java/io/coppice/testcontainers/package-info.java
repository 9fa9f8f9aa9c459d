/// A Coppice in containers for the tests of other projects: backup tools, clients of storage
/// policies, CSI drivers. Needs a Docker daemon, and nothing of VMware.
///
/// Entry point: [io.coppice.testcontainers.CoppiceContainer]. `docs/testcontainers.md` has a first
/// test.
@NullMarked
package io.coppice.testcontainers;

import org.jspecify.annotations.NullMarked;
