export { createProtobufCodec } from './codec.ts';
export type { ProtobufCodec } from './codec.ts';
export type { TypeMeta } from './compile-decoder.ts';
export { decodeEnvelope, encodeEnvelope, envelopeAround, hasMagic, magic } from './envelope.ts';
export type { Envelope } from './envelope.ts';
export { frameListItem, listAround } from './list.ts';
export { decodeWatchEvent, encodeWatchFrame, FrameReader } from './watch.ts';
export type { WatchFrame } from './watch.ts';
