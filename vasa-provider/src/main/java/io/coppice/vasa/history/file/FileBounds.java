package io.coppice.vasa.history.file;

/// Bounds of the files of the history.
///
/// @param most bytes of all of them together
/// @param spare bytes that their file system must have left, or nothing is written
public record FileBounds(long most, long spare) {}
