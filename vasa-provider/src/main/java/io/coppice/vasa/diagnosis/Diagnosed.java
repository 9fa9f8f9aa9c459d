package io.coppice.vasa.diagnosis;

/// The outcome of a diagnosis: the cause, and the figures from which it follows.
public record Diagnosed(LatencyCause cause, Figures figures) {}
