/// The VASA 2.0 contract as a client speaks it: envelopes written as text from the contract's
/// tables, replies read by namespace-aware XPath and checked against the schemas.
///
/// Entry point: [io.coppice.driver.soap.VasaClient]. Its operations come in groups, one class each,
/// in the order of the contract's chapters.
@NullMarked
package io.coppice.driver.soap;

import org.jspecify.annotations.NullMarked;
