package io.coppice.vasa.audit;

/// A record in its place in the chain.
///
/// @param seq number, from 1 without gaps
/// @param key id of the key that its hash was made with
/// @param previous hash of the entry before it
public record AuditEntry(
    long seq, String key, AuditRecord recorded, ChainHash previous, ChainHash hash) {}
