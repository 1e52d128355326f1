import { Counter, Histogram } from 'prom-client';
import { registry } from '../metrics/metrics.ts';

/** Why an upload with a valid form was refused. */
export type UploadRefusal =
  | 'account_busy'
  | 'queue_full'
  | 'queue_timeout'
  | 'disk_budget'
  | 'too_slow'
  | 'decode_time'
  | 'decode_memory'
  | 'decoder_failed'
  | 'storage';

export const uploadsRefused = new Counter({
  name: 'farmgate_uploads_refused_total',
  help: 'Uploads refused to protect the process, or because the storage failed, by reason.',
  labelNames: ['reason'] as const,
  registers: [registry],
});

export const countRefused = (reason: UploadRefusal): void => uploadsRefused.inc({ reason });

export const pictureDecodeDuration = new Histogram({
  name: 'farmgate_picture_decode_seconds',
  help: 'Time from starting the decoder process to its outcome, without the wait for it.',
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [registry],
});
