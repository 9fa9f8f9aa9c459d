package io.coppice.app;

/// Something that a feature does once, after the database is migrated and before the first call is
/// answered. Steps run in the order of their beans (`@Order`); one that fails is tried again with
/// all before it, so it must be repeatable.
///
/// @param name said when it is done
public record StartStep(String name, Runnable work) {}
