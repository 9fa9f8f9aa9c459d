/// The kit of every tool that measures or shows something: its command line
/// ([io.coppice.kit.Tool]), its statistics ([io.coppice.kit.Latencies], [io.coppice.kit.Spread])
/// and its tables ([io.coppice.kit.Markdown]). It depends on nothing else of ours.
@NullMarked
package io.coppice.kit;

import org.jspecify.annotations.NullMarked;
