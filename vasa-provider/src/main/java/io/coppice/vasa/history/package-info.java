/// History of rates, latencies and space of the pool, containers, virtual machines and volumes,
/// that of rates and latencies of hosts, and the forecast from it. Entry points:
/// [io.coppice.vasa.history.HistoryRecorder] writes, [io.coppice.vasa.history.History] answers,
/// [io.coppice.vasa.history.Forecasts] looks ahead.
///
/// The history is no part of the database and of no I/O: one thread reads counters that are there
/// anyway, and whatever keeps it from writing leaves a gap and nothing else.
@NullMarked
package io.coppice.vasa.history;

import org.jspecify.annotations.NullMarked;
