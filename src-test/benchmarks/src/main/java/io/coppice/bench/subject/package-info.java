/// Subjects of measurements that take the same load: a volume of the engine in this process, a file
/// under fio, an image under `qemu-img bench`. Begin at [io.coppice.bench.subject.Subject]. It
/// depends on the engine's API, the kit and the harness.
@NullMarked
package io.coppice.bench.subject;

import org.jspecify.annotations.NullMarked;
