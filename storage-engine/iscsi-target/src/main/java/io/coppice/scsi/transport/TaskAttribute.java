package io.coppice.scsi.transport;

/// The task attribute of a command (SAM-5 §8.6).
public enum TaskAttribute {
  UNTAGGED,
  SIMPLE,
  ORDERED,
  HEAD_OF_QUEUE,
  ACA
}
