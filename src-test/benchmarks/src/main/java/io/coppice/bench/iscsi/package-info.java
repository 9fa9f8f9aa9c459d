/// What a host sees through iSCSI, measured: beside `tgtd` on the same disk, and the parts of it
/// that `tgtd` does not have. Entry points: [io.coppice.bench.iscsi.TargetBench],
/// [io.coppice.bench.iscsi.CopyBench] and [io.coppice.bench.iscsi.ScaleBench].
@NullMarked
package io.coppice.bench.iscsi;

import org.jspecify.annotations.NullMarked;
